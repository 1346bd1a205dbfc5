import type { PGlite } from "@electric-sql/pglite";

/** The parts of Emscripten's in-memory file system that an image consists of. */
interface FileNode {
  mode: number;
  name: string;
  parent: FileNode;
  /** A file's bytes, of which `usedBytes` count, or a folder's entries; a device has none. */
  contents: Uint8Array | Record<string, FileNode> | null | undefined;
  usedBytes: number;
}
interface OpenFile {
  fd: number | null;
  position: number;
  flags: number;
}
interface FileSystem {
  readonly root: FileNode;
  readonly nameTable: (FileNode | undefined)[];
  streams: (OpenFile | null | undefined)[];
  hashAddNode(node: FileNode): void;
}

function nodesFrom(node: FileNode, found: FileNode[] = []): FileNode[] {
  found.push(node);
  if (node.contents instanceof Uint8Array) return found;
  for (const child of Object.values(node.contents ?? {})) nodesFrom(child, found);
  return found;
}

const copyOf = (contents: FileNode["contents"]) =>
  contents instanceof Uint8Array ? contents.slice() : contents && { ...contents };

function imageOfFiles(files: FileSystem): () => void {
  const nodes = nodesFrom(files.root).map((node) => {
    const { mode, name, parent, usedBytes } = node;
    return { node, kept: { mode, name, parent, usedBytes }, contents: copyOf(node.contents) };
  });
  const streams = files.streams.map((stream) => {
    if (stream === null || stream === undefined) return undefined;
    const { fd, position, flags } = stream;
    return { stream, kept: { fd, position, flags } };
  });
  return () => {
    files.nameTable.fill(undefined);
    for (const { node, kept, contents } of nodes) {
      Object.assign(node, kept, { contents: copyOf(contents) });
      files.hashAddNode(node);
    }
    files.streams = streams.map((open) => open && Object.assign(open.stream, open.kept));
  };
}

/**
 * Saves an in-memory database completely: the program's memory, its files and its open files. The returned function restores all of
 * that, in a fiftieth of the time that opening another database takes. Call both between two statements.
 */
export function takeImage(pglite: PGlite): () => void {
  const { Module: program } = pglite;
  const memory = program.HEAPU8.slice();
  const restoreFiles = imageOfFiles(program.FS as unknown as FileSystem);
  return () => {
    program.HEAPU8.set(memory);
    // The memory may have grown since; the part beyond the image must be zero as when it was new.
    program.HEAPU8.fill(0, memory.length);
    restoreFiles();
  };
}
