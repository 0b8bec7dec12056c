// Long work in slices, so that the worker answers while it is under way: a search goes on while the tree is scrolled.

const SLICE = 12;

const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()?.();

/** Lets the messages that have come in be answered. */
function breathe() {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(undefined);
  });
}

/** For reports: calls `tell` with what it is given, but not more often than a person can see. */
export function seldom(tell, milliseconds = 80) {
  let last = 0;
  return (...args) => {
    const now = performance.now();
    if (now - last < milliseconds) return;
    last = now;
    tell(...args);
  };
}

/** Runs a generator to its end; `signal.stopped` ends it early. `onSlice` is called after each slice. */
export async function inSlices(generator, signal, onSlice) {
  let end = performance.now() + SLICE;
  for (;;) {
    const { done } = generator.next();
    if (done) return true;
    if (performance.now() < end) continue;
    onSlice?.();
    await breathe();
    if (signal.stopped) return false;
    end = performance.now() + SLICE;
  }
}
