/** Types of choose-node.mjs, which runs before TypeScript can. */

export function fits(version: string): boolean
export function versionToFetch(glibc: string | undefined): string
