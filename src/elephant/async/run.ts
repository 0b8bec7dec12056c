// What drives the steps of reads and writes: waits for bytes, pauses, reports progress, ends when the signal says so.

import type { Machine } from "../machine.ts";
import { Input } from "../read/input.ts";
import type { ReadResult, ReadSettings } from "../read.ts";
import type { WriteSettings } from "../write/settings.ts";
import type { GraphWriter } from "../write.ts";
import { ChunkOutput } from "./chunks.ts";
import type { ByteSink, ReadAsyncOptions, SliceOptions } from "./options.ts";
import { MORE, type Place, readSlices } from "./read.ts";
import { openSink } from "./sink.ts";
import { Slicer } from "./slicer.ts";
import { type Source, soon } from "./source.ts";

const CHUNK_BYTES = 1 << 18;

/** `slicer` has begun before the machine was made, which takes some milliseconds the first time. */
export async function readInSlices(
  machine: Machine,
  settings: ReadSettings,
  source: Source,
  offset: number,
  options: ReadAsyncOptions,
  slicer: Slicer,
): Promise<ReadResult> {
  const { size } = source;
  const input = new Input(source.whole, size);
  const place: Place = { offset };
  const report = (): void => options.onProgress?.({ done: place.offset - offset, total: size && Math.max(size - offset, 0) });
  const steps = readSlices(machine, settings, input, offset, slicer, place);
  try {
    if (slicer.due()) await slicer.pause();
    while (true) {
      const step = steps.next();
      if (step.done) {
        report();
        return step.value;
      }
      if (step.value === MORE) {
        // The chunk may come after the read has ended, when nothing may be left at the signal.
        const chunk = await slicer.wait(() => input.late ?? soon((input.late = source.next!())));
        if (chunk === false) continue;
        input.late = undefined;
        if (chunk) input.give(chunk);
        else input.ended = true;
        // Chunks that are there at once come without a turn of the event loop.
        if (!slicer.due()) continue;
      }
      report();
      await slicer.pause();
    }
  } finally {
    steps.return(undefined as never);
  }
}

/** The chunks of a save, made as they are asked for. */
export async function* chunksInSlices(
  writer: GraphWriter,
  settings: WriteSettings,
  value: unknown,
  options: SliceOptions,
  slicer: Slicer,
  chunkBytes = CHUNK_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const output = new ChunkOutput(chunkBytes);
  const report = (): void => options.onProgress?.({ done: output.taken });
  const rest = (): Promise<void> => {
    report();
    return slicer.pause();
  };
  const steps = writer.writeSlices(value, settings, output, slicer.due);
  try {
    for (let more = true; more; ) {
      more = !steps.next().done;
      if (!more) output.seal();
      for (let chunk = output.next(); chunk; chunk = output.next()) {
        yield chunk;
        if (slicer.due()) await rest();
      }
      if (more) await rest();
    }
    report();
  } finally {
    steps.return();
  }
}

/** All chunks as one array, put together in slices. */
export async function joinInSlices(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  options: SliceOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
  }
  const slicer = new Slicer(options);
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
    if (slicer.due()) await slicer.pause();
  }
  return whole;
}

/** Every chunk into the sink, which is closed behind the last; returns how many bytes there were. */
export async function sinkInSlices(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  given: ByteSink,
  options: SliceOptions,
): Promise<number> {
  const sink = openSink(given);
  let length = 0;
  try {
    const slicer = new Slicer(options);
    for await (const chunk of chunks) {
      length += chunk.length;
      await slicer.wait(() => sink.write(chunk));
    }
    await slicer.wait(sink.close);
    return length;
  } catch (error) {
    sink.abort(error);
    throw error;
  }
}
