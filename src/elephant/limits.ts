// Limits: what a file may cost. Every default says why.

/** What a file, or a value that is written or copied, may cost. Every limit says what it stops, and which error it is. */
export interface Limits {
  /**
   * How deep containers may nest, in files and in values that are written or copied. Default 1,000,000: reading takes no host stack and about 100 bytes a
   * level, so this bounds memory to some hundred megabytes; deeper data is no save. Error `depth-limit`.
   */
  maxDepth: number;
  /** How many arrays and structs a file, or JSON for `fromJson`, may hold. Default 100,000,000, some gigabytes of objects. Error `element-limit`. */
  maxNodes: number;
  /**
   * How many elements a file may claim without a byte for each (arrays of undefined). Default 16,777,216, about 128 MB of
   * memory; a file of 9 KB could otherwise ask for 200 million. Error `element-limit`.
   */
  maxEmptyElements: number;
  /**
   * How many bytes an export string may inflate to; Node takes 2,147,483,647 at most. Default 1 GiB; deflate shrinks up to a thousandfold. Error
   * `inflate-limit`.
   */
  maxInflatedBytes: number;
}

/** The limits of a codec that is told of none. */
export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  maxDepth: 1_000_000,
  maxNodes: 100_000_000,
  maxEmptyElements: 16_777_216,
  maxInflatedBytes: 1 << 30,
});
