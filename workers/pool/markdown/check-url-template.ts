/** Checks URL templates by RFC 6570, and lists their variables. */

import { parseTemplate } from 'url-template'
import { isAllowedUrl } from './link-urls.ts'

/** An operator, then variables with their modifiers. */
const EXPRESSION =
  /^[+#./;?&]?(?<list>(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?:\*|:[1-9]\d{0,3})?(?:,(?:[A-Za-z0-9_.]|%[0-9A-Fa-f]{2})+(?:\*|:[1-9]\d{0,3})?)*)$/

/** The variables of a template, each once; undefined if it is invalid. */
export function findTemplateVariables(template: string): readonly string[] | undefined {
  const variables = new Set<string>()
  let rest = template
  for (;;) {
    const open = rest.indexOf('{')
    const literal = open < 0 ? rest : rest.slice(0, open)
    if (/[}\s\p{Cc}]/u.test(literal)) return undefined
    if (open < 0) return [...variables]
    const close = rest.indexOf('}', open)
    if (close < 0) return undefined
    const { list } = EXPRESSION.exec(rest.slice(open + 1, close))?.groups ?? {}
    if (list === undefined) return undefined
    for (const variable of list.split(',')) variables.add(variable.replace(/(?:\*|:\d+)$/, ''))
    rest = rest.slice(close + 1)
  }
}

/** Whether a template produces allowed links for all values; false for an invalid one. */
export function hasAllowedTarget(template: string): boolean {
  const values = Object.fromEntries((findTemplateVariables(template) ?? []).map((name) => [name, 'x']))
  return isAllowedUrl(parseTemplate(template).expand(values))
}
