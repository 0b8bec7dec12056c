// Medians and quartiles; medians because other work on the machine only ever adds time.

/** Value below which the fraction q of the sorted samples lies, interpolated. */
export function quantile(samples, q) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.ceil(at)] - sorted[low]) * (at - low);
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
