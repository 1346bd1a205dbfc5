/** Hands a text to the browser as a file to be kept. */
export function saveFile(name: string, text: string, type = "text/csv;charset=utf-8"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data by the next turn of the page.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
