/** Removals of much in pieces: each is a statement or a transaction of its own, and holds its locks but shortly. */

/** Repeats a removal of so many at most until it finds fewer; answers how many there were. */
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
