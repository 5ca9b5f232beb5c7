/**
 * Brings the catalogues up to the code: new texts come without a translation, texts that are gone go.
 *
 *     npm run texts                 # all catalogues, and the number of missing translations
 *     npm run texts -- --missing de # prints the texts that one lacks
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPo, writePo } from '../../packages/texts/read-po.ts'
import { contextual } from '../../packages/texts/texts.ts'
import { FAMILIES, ROOT, textsOf } from './find-texts.ts'

const [option, only] = process.argv.slice(2)
const nameOf = ({ id, context }: { readonly id: string; readonly context?: string }) =>
  context === undefined ? id : contextual(context, id)

for (const { catalogues, sources } of FAMILIES) {
  const texts = textsOf(sources)
  for (const name of readdirSync(join(ROOT, catalogues))) {
    const language = name.replace('.po', '')
    const path = join(ROOT, catalogues, name)
    const former = new Map(readPo(readFileSync(path, 'utf8')).map((entry) => [nameOf(entry), entry]))
    const entries = texts.map(({ id, context, where }) => ({
      translation: '',
      isFuzzy: false,
      ...former.get(nameOf({ id, ...(context !== undefined && { context }) })),
      id,
      where,
      ...(context !== undefined && { context }),
    }))
    const missing = entries.filter(({ translation, isFuzzy }) => translation === '' || isFuzzy)
    if (option !== '--missing') {
      writeFileSync(path, writePo(language, entries))
      console.log(`${catalogues}/${name}: ${missing.length} of ${entries.length} texts lack a translation`)
    } else if (only === language) {
      for (const { id, context, where } of missing)
        console.log(`${where}\t${JSON.stringify(id)}${context === undefined ? '' : `\t(${context})`}`)
    }
  }
}
