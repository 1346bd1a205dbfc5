const REFRESH_MS = 5_000;
const byId = (id) => document.getElementById(id);

const WORDS = {
  ready: "Everything is running",
  degraded: "Running, with a fault that needs a look",
  unavailable: "Not able to serve",
};

function row(tag, nameTag, name, detailTag, detail) {
  const element = document.createElement(tag);
  const nameElement = document.createElement(nameTag);
  const detailElement = document.createElement(detailTag);
  nameElement.className = nameTag === "span" ? "name" : "";
  detailElement.className = detailTag === "span" ? "detail" : "";
  nameElement.textContent = name;
  detailElement.textContent = detail;
  element.append(nameElement, detailElement);
  return element;
}

async function showHealth() {
  const status = byId("status");
  try {
    const response = await fetch("/readyz");
    const { status: state, checks } = await response.json();
    status.textContent = WORDS[state];
    status.dataset.status = state;
    byId("checks").replaceChildren(
      ...Object.entries(checks).map(([name, check]) => {
        const item = row("li", "span", name, "span", check.detail);
        item.classList.toggle("ok", check.ok);
        return item;
      }),
    );
    byId("checks").classList.remove("is-stale");
  } catch {
    status.textContent = "The server does not answer; trying again";
    status.dataset.status = "unavailable";
    byId("checks").classList.add("is-stale");
  }
}

async function showConfig() {
  const response = await fetch("/api/v1/config");
  const config = await response.json();
  const environment = byId("environment");
  environment.textContent = config.env;
  environment.hidden = false;
  const facts = [
    ["Address", config.public_url],
    ["Chain id", String(config.chain_id)],
    ["Chain RPC", config.rpc_url ?? "not attached"],
    ["Sign-in domain", config.sign_in.domain],
  ];
  byId("config").replaceChildren(...facts.map(([name, value]) => row("div", "dt", name, "dd", value)));
}

await Promise.all([showHealth(), showConfig()]);
setInterval(showHealth, REFRESH_MS);
