import { WebSocket } from "ws";

const ANSWER_LIMIT_ms = 30_000;

/** Whether a message answers a request, in contrast to a pushed one. */
function isAnswer(text: string): boolean {
  const message = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if ("result" in message || "error" in message) return true;
  return ["subscribed", "unsubscribed", "auth", "pong", "error"].includes(String(message["type"]));
}

/** A client that sends one request at a time. */
export class Talker {
  readonly #ws: WebSocket;
  readonly #opened: Promise<boolean>;
  #waiting: ((answer: string | undefined) => void) | undefined;
  code: number | undefined;
  ending = "";

  constructor(url: string) {
    this.#ws = new WebSocket(url);
    this.#opened = new Promise((resolve) => {
      this.#ws.once("open", () => resolve(true));
      this.#ws.once("error", (error) => {
        this.ending = error.message;
        resolve(false);
      });
    });
    this.#ws.on("message", (data) => {
      const text = String(data);
      if (this.#waiting !== undefined && isAnswer(text)) this.#waiting(text);
    });
    this.#ws.on("close", (code, reason) => {
      this.code = code;
      this.ending = `${code} ${String(reason)}`;
      this.#waiting?.(undefined);
    });
  }

  isOpen(): Promise<boolean> {
    return this.#opened;
  }

  get isUp(): boolean {
    return this.#ws.readyState === WebSocket.OPEN;
  }

  /** The answer; undefined if the connection was closed or nothing came. */
  async ask(text: string, isFragmented: boolean): Promise<string | undefined> {
    const answer = new Promise<string | undefined>((resolve) => {
      this.#waiting = resolve;
    });
    const limit = setTimeout(() => this.#waiting?.(undefined), ANSWER_LIMIT_ms);
    if (isFragmented) {
      const middle = text.length >> 1;
      this.#ws.send(text.slice(0, middle), { fin: false });
      this.#ws.send(text.slice(middle), { fin: true });
    } else this.#ws.send(text);
    try {
      return await answer;
    } finally {
      clearTimeout(limit);
      this.#waiting = undefined;
    }
  }

  end(): void {
    this.#ws.terminate();
  }
}
