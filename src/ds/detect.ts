// Is this a ds_*_write string? Its first eight digits are the structure and the generation (formats/ds.md §2).
import type { Detection } from "../detection.ts";
import { KINDS } from "./layout.ts";

export function detectDs(beginning: string): Detection | undefined {
  const digits = /^[0-9A-Fa-f]{8}/.exec(beginning)?.[0];
  if (!digits) return undefined;
  const byte = (i: number): number => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16);
  const magic = (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
  const kind = KINDS[Math.floor(magic / 100) - 1];
  const generation = magic % 100;
  if (!kind || generation < 1 || generation > 3) return undefined;
  const counted = /^[0-9A-Fa-f]{16}/.test(beginning);
  return { format: "ds", release: String(generation), form: kind, confidence: counted ? "certain" : "likely" };
}
