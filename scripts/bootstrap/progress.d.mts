/** Prints the title, then the time that went by. */
export function withProgress<T>(title: string, work: () => Promise<T>): Promise<T>;
