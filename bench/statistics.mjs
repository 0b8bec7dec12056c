// Medians and quartiles, and orders; medians because other work on the machine only ever adds time.

/** Value below which the fraction q of the sorted samples lies, interpolated. */
export function quantile(samples, q) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
}

/** A copy in a new order. @param {() => number} random as Math.random */
export function shuffled(list, random) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = (random() * (i + 1)) | 0;
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

export function summary(samples) {
  return {
    median: quantile(samples, 0.5),
    q1: quantile(samples, 0.25),
    q3: quantile(samples, 0.75),
    min: Math.min(...samples),
    n: samples.length,
  };
}
