const TERMINAL_TICK_MS = 1000;
const PLAIN_TICK_MS = 10000;

/**
 * Prints the title, then the elapsed time: updated in place on a terminal, as a line every ten seconds elsewhere,
 * because a log without output for minutes looks like a hang.
 */
export async function withProgress(title, work) {
  const started_ms = Date.now();
  const isTerminal = process.stdout.isTTY && !process.env.CI;
  const elapsed_s = () => Math.round((Date.now() - started_ms) / 1000);
  console.log(`${title} …`);
  const timer = setInterval(
    () => process.stdout.write(isTerminal ? `\r  ${elapsed_s()} s` : `  ${elapsed_s()} s\n`),
    isTerminal ? TERMINAL_TICK_MS : PLAIN_TICK_MS,
  );
  const clearLine = () => {
    clearInterval(timer);
    if (isTerminal) process.stdout.write("\r\x1b[K");
  };
  try {
    const result = await work();
    clearLine();
    console.log(`  done in ${elapsed_s()} s`);
    return result;
  } catch (error) {
    clearLine();
    throw error;
  }
}
