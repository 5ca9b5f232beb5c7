/** How much of their bounds caches take: less where the process may have little memory, as in a small container. */

const BYTES_PER_MIB = 1024 * 1024
/** MiB of memory from which on caches take all of their bounds; `docs/memory.md` has what else a process takes. */
const WHOLE_MIB = 1024
/** Below this, requests would mostly miss the caches. */
const SHARE_MIN = 0.25

/** Computes the share, between a quarter and 1, from the limit of a control group in bytes; 0 is no limit. */
export function shareOf(limitBytes: number): number {
  if (limitBytes === 0) return 1
  return Math.min(1, Math.max(SHARE_MIN, limitBytes / (WHOLE_MIB * BYTES_PER_MIB)))
}

const SHARE = shareOf(process.constrainedMemory())

/** The bytes of a cache that has `mib` MiB where memory is plenty. */
export function cacheBytes(mib: number): number {
  return Math.floor(mib * BYTES_PER_MIB * SHARE)
}
