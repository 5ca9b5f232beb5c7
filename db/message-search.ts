/** Full-text search: words found inside others and with a typo, by the trigrams of topic and content. */

import type { SearchWord } from '../server/domain/search-query.ts'
import type { Sql } from './connect.ts'

/** One term of a narrow: all its words must be found, or not all of them. */
export interface Search {
  readonly words: readonly SearchWord[]
  readonly isNegated: boolean
}

/** What is searched of a message, as `search_texts` has it. */
const searched = (sql: Sql) => sql`(m.topic || ' ' || m.content)`

/** A word as SQL compares it. */
interface ComparedWord {
  /** For `ilike`: it stands there, or with two letters exchanged, or with another letter inside. */
  readonly patterns: readonly string[]
  /** For the similarity of trigrams, which finds a letter too many or too few; null where none is forgiven. */
  readonly nearby: string | null
}

/**
 * The ids after `low`, up to and with `high`, of the messages with the word that leads to them: the longest, as it
 * has the most trigrams. The planner must not be left to walk all messages instead: ask for it in a materialized query.
 */
export function findByLeader(sql: Sql, searches: readonly Search[], low: number, high: number) {
  const words = searches.filter(({ isNegated }) => !isNegated).flatMap((search) => search.words)
  const leader = words.toSorted((a, b) => b.text.length - a.text.length)[0] as SearchWord
  const { patterns, nearby } = compareWord(leader)
  const has = (text: ReturnType<typeof searched>) =>
    sql`(${text} ilike any(${[...patterns]}::text[]) or ${nearby}::text <% ${text})`
  return sql`
    select s.id from search_texts s where s.id > ${low} and s.id <= ${high} and ${has(sql`s.text`)}
    union all
    select m.id from messages m
    where m.id > greatest(${low}::bigint, (select coalesce(max(id), 0) from search_texts))
      and m.id <= ${high} and ${has(searched(sql))}`
}

/** Adds what is searched of the oldest messages that have no search text yet; answers how many. */
export async function addSearchTexts(sql: Sql, countMax: number): Promise<number> {
  // Locked, so that an edit meanwhile waits and then finds the text it is to change.
  const rows = await sql`
    insert into search_texts (id, text)
    select m.id, ${searched(sql)} from messages m
    where m.id > (select coalesce(max(id), 0) from search_texts) order by m.id limit ${countMax} for share of m
    on conflict (id) do nothing`
  return rows.count
}

/** All searches; one text of SQL for any number of words. */
export function matchingSearches(sql: Sql, searches: readonly Search[]) {
  const compared = searches.map(({ words, isNegated }) => ({ isNegated, words: words.map(compareWord) }))
  return sql`not exists (
    select 1 from jsonb_to_recordset(${JSON.stringify(compared)}::text::jsonb) as search ("isNegated" boolean, words jsonb)
    where search."isNegated" = (
      select coalesce(bool_and(${searched(sql)} ilike any(word.patterns)
        or coalesce(word.nearby <% ${searched(sql)}, false)), true)
      from jsonb_to_recordset(search.words) as word (patterns text[], nearby text)))`
}

function compareWord({ text, isForgiving }: SearchWord): ComparedWord {
  if (!isForgiving) return { patterns: [contains([text])], nearby: null }
  const letters = Array.from(text)
  const patterns = [contains([text])]
  for (let index = 1; index < letters.length - 1; index++) {
    patterns.push(contains([letters.slice(0, index).join(''), letters.slice(index + 1).join('')]))
  }
  for (let index = 0; index < letters.length - 1; index++) {
    const [one, other] = letters.slice(index, index + 2)
    patterns.push(contains([letters.toSpliced(index, 2, other as string, one as string).join('')]))
  }
  return { patterns, nearby: text }
}

/** A pattern of `ilike` for what contains the parts, with one character between them. */
function contains(parts: readonly string[]): string {
  return `%${parts.map((part) => part.replaceAll(/[\\%_]/g, '\\$&')).join('_')}%`
}
