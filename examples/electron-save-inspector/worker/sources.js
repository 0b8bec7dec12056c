// Where a file's bytes come from: a File of the page (a handle; the bytes never pass through the page), or pieces that the main process sends.

/** Resolves with name and bytes. `onProgress` gets `{ phase: "loading", loaded, total }`. */
export async function readSource(source, onProgress) {
  const { name } = source;
  if (source.bytes) return { name, bytes: source.bytes };
  if (source.pieces) return { name, bytes: await collect(source, onProgress) };
  const { file } = source;
  const room = roomFor(file);
  try {
    return { name: name ?? file.name, bytes: await bytesOf(file, room, onProgress) };
  } catch {
    // What browsers say of it is "network error".
    throw new Error(`${file.name} is a folder, or is no longer what it was when it was chosen: moved, deleted or written anew`);
  }
}

/** Throws where there is no memory for that much. */
function roomFor({ name, size }) {
  try {
    return new Uint8Array(size);
  } catch {
    throw new Error(`${name} is too large to be opened here: there is no room for its ${(size / 1e9).toFixed(1)} GB`);
  }
}

async function bytesOf(file, bytes, onProgress) {
  let loaded = 0;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.set(value, loaded);
    loaded += value.length;
    onProgress({ phase: "loading", loaded, total: file.size });
  }
  return bytes.subarray(0, loaded);
}

/** Asks for the pieces at a port, and takes them until there is an empty one. */
function collect({ name, pieces, size }, onProgress) {
  return new Promise((resolve, reject) => {
    const bytes = roomFor({ name, size });
    let loaded = 0;
    pieces.onmessage = ({ data }) => {
      if (data.error || loaded + data.byteLength > size) {
        pieces.close();
        reject(new Error(data.error ?? "the file has grown while it was read"));
        return;
      }
      if (data.byteLength === 0) {
        pieces.close();
        resolve(bytes.subarray(0, loaded));
        return;
      }
      bytes.set(new Uint8Array(data), loaded);
      loaded += data.byteLength;
      onProgress({ phase: "loading", loaded, total: size });
    };
    pieces.postMessage("begin");
  });
}
