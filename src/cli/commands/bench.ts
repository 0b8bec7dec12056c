// tusk bench: how fast is this file on this machine?
import { type Command, FROM_OPTION, SCHEMA_OPTION } from "../command.ts";
import type { Candidate, FormatSettings, Measurable, SaveFormat } from "../formats/format.ts";
import { contentEnd } from "../formats/text-file.ts";
import { restoreOriginal } from "../original.ts";
import { namedError } from "../platform-limits.ts";
import { sizeText } from "../values.ts";
import { visible } from "../visible.ts";

/** Milliseconds of one measurement; less is lost in the clock. */
const LEAST = 20;

interface Lane {
  readonly candidate: Candidate;
  /** Runs in one measurement. */
  repeat: number;
  readonly times: number[];
  failure?: string;
}

function time(candidate: Candidate, repeat: number): number {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) candidate.run();
  return performance.now() - start;
}

/** Warms up and finds how often a measurement has to run it. */
function prepare(candidate: Candidate): Lane {
  const lane: Lane = { candidate, repeat: 1, times: [] };
  try {
    // What has never run is slow, however little it does.
    candidate.run();
    for (let spent = time(candidate, 1); spent < LEAST && lane.repeat < 1 << 20; spent = time(candidate, lane.repeat))
      lane.repeat *= spent > 0 && spent < LEAST / 4 ? 4 : 2;
  } catch (error) {
    lane.failure = (namedError(error) as Error).message;
  }
  return lane;
}

/** Of a format that is read and written in one way. */
function readAndWrite(format: SaveFormat, bytes: Uint8Array, settings: FormatSettings): Measurable {
  // What stands behind a text is passed over: a buffer of a megabyte may hold a short one.
  const content = format.headNames.includes("after") ? bytes.subarray(0, contentEnd(bytes)) : bytes;
  const save = format.read(content, settings);
  return {
    size: content.length,
    candidates: [
      { name: format.name, work: "read", run: () => format.read(content, settings) },
      { name: format.name, work: "write", run: () => format.write(save, settings) },
    ],
  };
}

function median(times: readonly number[]): number {
  const sorted = times.slice().sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

function timeText(milliseconds: number): string {
  return milliseconds >= 1 ? `${milliseconds.toFixed(2)} ms` : `${(milliseconds * 1000).toFixed(2)} µs`;
}

export const bench: Command = {
  name: "bench",
  summary: "measure how fast this machine reads and writes a file",
  usage: ["[OPTIONS] FILE"],
  description: [
    "Reads and writes the file in memory; of Elephant as programs do that choose no engine (auto), with each engine, and the same values with the platform's JSON. The candidates take turns, so that a busy moment hits all of them; shown is the median of the rounds, and bytes per second.",
    'Measured is the save alone, without what follows it in the file: of an export string the one inside, of the JSON of "tusk decode" the one that it stands for.',
  ],
  options: {
    rounds: { type: "string", short: "n", value: "N", help: "measurements of each; default 15" },
    ...SCHEMA_OPTION,
    ...FROM_OPTION,
  },
  examples: ["tusk bench slot1.dat"],
  async run(call) {
    call.expectArguments(1, 1);
    const rounds = call.number("rounds", 15, 1);
    const opened = await call.open(call.arguments[0]);
    const { format, save } = opened;
    const bytes = opened.notation
      ? ((await restoreOriginal(call, opened)) ?? (await call.encode(opened, format, save.head)))
      : opened.bytes;
    const settings = await call.settings(opened.file);
    let measurable: Measurable;
    try {
      const unpacked = format.unpack?.(bytes) ?? bytes;
      measurable = format.measurable?.(unpacked, settings) ?? readAndWrite(format, unpacked, settings);
    } catch (error) {
      throw call.fault(opened.file, error, settings, format);
    }
    const { size, candidates } = measurable;
    call.progress.phase("warming up");
    const lanes = candidates.map(prepare);
    call.progress.phase("measuring");
    for (let round = 0; round < rounds; round++) {
      for (const lane of lanes) if (!lane.failure) lane.times.push(time(lane.candidate, lane.repeat) / lane.repeat);
      call.progress.update(round + 1, rounds);
    }
    await call.print(
      `${visible(opened.file)}: ${format.title}, ${sizeText(size)}, Node ${process.versions.node}, ${process.platform} ${process.arch}\n`,
    );
    for (const work of ["read", "write"] as const) {
      for (const { candidate, times, failure } of lanes) {
        if (candidate.work !== work) continue;
        const name = `${work.padEnd(5)}  ${candidate.name.padEnd(12)}`;
        if (failure) await call.print(`${name}  ${call.style.dim(failure)}\n`);
        else {
          const middle = median(times);
          await call.print(`${name}  ${timeText(middle).padStart(12)}  ${sizeText(Math.round((size / middle) * 1000)).padStart(9)}/s\n`);
        }
      }
    }
    return 0;
  },
};
