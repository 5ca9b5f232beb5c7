/** Splits large removals into batches: each is a separate statement or transaction, and holds its locks briefly. */

/** Repeats a limited removal until it finds fewer rows than its limit; returns the total. */
export async function inBatches(
  lengthMax: number,
  remove: (lengthMax: number) => Promise<number>,
): Promise<number> {
  let total = 0
  for (;;) {
    const count = await remove(lengthMax)
    total += count
    if (count < lengthMax) return total
  }
}
