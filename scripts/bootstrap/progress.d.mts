/** Prints the title, then the elapsed time. */
export function withProgress<T>(title: string, work: () => Promise<T>): Promise<T>;
