// Limits of a codec, which it keeps to itself: both sides of a worker need others of them for what crosses.
import type { Elephant } from "../elephant/codec.ts";
import type { JsonSettings } from "../elephant/json.ts";
import type { Limits } from "../elephant/limits.ts";

interface Opened {
  readonly settings: JsonSettings;
  readonly usual: undefined;
}

export function limitsOf(elephant: Elephant): Limits {
  return (elephant as unknown as Opened).settings.limits;
}

/**
 * The same codec for JSON forms, which may have more containers and levels than their saves: each place that refers to one that is elsewhere has a struct there.
 * So may they have more empty elements: where all of an array are undefined, none has a byte. What it makes and keeps is the codec's own.
 */
export function withoutLimits(elephant: Elephant): Elephant {
  const { settings } = elephant as unknown as Opened;
  const opened: Opened = {
    settings: { ...settings, limits: { maxDepth: Infinity, maxNodes: Infinity, maxEmptyElements: Infinity, maxInflatedBytes: Infinity } },
    usual: undefined,
  };
  return { __proto__: elephant, ...opened } as unknown as Elephant;
}
