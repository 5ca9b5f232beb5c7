/** Checks the parts of a linkifier, and whether they fit together. */

import type { Linkifier } from '../../../server/domain/organization/organization-lists.ts'
import { LINKIFIER_PROGRAM_LENGTH_MAX } from '../../../server/domain/limits.ts'
import { findTemplateVariables, hasAllowedTarget } from './check-url-template.ts'
import { compilePattern, regexEngine } from './compile-linkifier.ts'

/** A field, or the whole linkifier, with its error. */
export interface LinkifierFault {
  readonly part:
    | 'pattern'
    | 'urlTemplate'
    | 'alternativeUrlTemplates'
    | 'exampleInput'
    | 'reverseTemplate'
    | 'whole'
  readonly message: string
}

/** All errors: those of single parts, otherwise those of their combination; the whole comes last. */
export function findLinkifierFaults(linkifier: Omit<Linkifier, 'id'>): readonly LinkifierFault[] {
  const { pattern, urlTemplate, alternativeUrlTemplates } = linkifier
  const patternFault = findPatternFault(pattern)
  const templateFault = findTemplateFault(urlTemplate)
  const alternativeFault = alternativeUrlTemplates.map(findTemplateFault).find((fault) => fault !== undefined)
  const faults: LinkifierFault[] = [
    ...faultOf('pattern', patternFault),
    ...faultOf('urlTemplate', templateFault),
    ...faultOf('alternativeUrlTemplates', alternativeFault),
  ]
  return faults.length > 0 ? faults : findMismatches(linkifier)
}

function faultOf(part: LinkifierFault['part'], message: string | undefined): LinkifierFault[] {
  return message === undefined ? [] : [{ part, message }]
}

function findPatternFault(pattern: string): string | undefined {
  if (pattern === '') return 'This field cannot be blank.'
  try {
    // Compiled alone first: with the surrounding pattern, an unmatched closing bracket could become valid.
    regexEngine().RE2JS.compile(pattern)
    const size = compilePattern(pattern).programSize()
    return size > LINKIFIER_PROGRAM_LENGTH_MAX ? 'Bad regular expression: pattern too large' : undefined
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '')
    return `Bad regular expression: ${reason}`
  }
}

function findTemplateFault(template: string): string | undefined {
  if (template === '') return 'This field cannot be blank.'
  const variables = findTemplateVariables(template)
  if (!variables) return 'Invalid URL template.'
  // A template that begins with a variable takes its target from it, and is checked for each link.
  return template.startsWith('{') || hasAllowedTarget(template) ? undefined : 'Invalid URL template.'
}

function findMismatches(linkifier: Omit<Linkifier, 'id'>): LinkifierFault[] {
  const { pattern, urlTemplate, alternativeUrlTemplates, exampleInput, reverseTemplate } = linkifier
  const groups = Object.keys(regexEngine().RE2JS.compile(pattern).namedGroups())
  const variables = findTemplateVariables(urlTemplate) ?? []
  const [unknown] = variables.filter((name) => !groups.includes(name)).sort()
  if (unknown !== undefined)
    return faultOf('whole', `Group '${unknown}' in URL template is not present in linkifier pattern.`)
  const [unused] = groups.filter((name) => !variables.includes(name)).sort()
  if (unused !== undefined)
    return faultOf('whole', `Group '${unused}' in linkifier pattern is not present in URL template.`)
  const [odd] = alternativeUrlTemplates
    .flatMap((template) => findTemplateVariables(template) ?? [])
    .filter((name) => !groups.includes(name))
    .sort()
  if (odd !== undefined)
    return faultOf(
      'alternativeUrlTemplates',
      `Group '${odd}' in URL template is not present in linkifier pattern.`,
    )
  if (reverseTemplate === null) return []
  if (exampleInput === null)
    return faultOf('exampleInput', 'An example input is required with a reverse template.')
  const matched = matchWhole(pattern, exampleInput)
  if (!matched) return faultOf('exampleInput', 'Example input does not match the linkifier pattern.')
  return fillReverseTemplate(reverseTemplate, matched) === exampleInput
    ? []
    : faultOf('reverseTemplate', 'Reverse template does not rebuild the example input.')
}

/** The groups of a pattern in a text that it matches as a whole. */
function matchWhole(pattern: string, text: string): ReadonlyMap<string, string> | undefined {
  const matcher = regexEngine().RE2JS.compile(pattern).matcher(text)
  if (!matcher.matches()) return undefined
  const groups: Readonly<Record<string, string | null | undefined>> = matcher.getNamedGroups()
  return new Map(Object.entries(groups).map(([name, value]) => [name, value ?? '']))
}

/** A reverse template with values, where `{{` and `}}` are braces; undefined if it has other variables. */
function fillReverseTemplate(template: string, values: ReadonlyMap<string, string>): string | undefined {
  let isRight = true
  const filled = template.replaceAll(/\{\{|\}\}|\{(\w*)\}|[{}]/g, (piece, name: string | undefined) => {
    if (piece === '{{' || piece === '}}') return piece.charAt(0)
    const value = name === undefined ? undefined : values.get(name)
    isRight &&= value !== undefined
    return value ?? ''
  })
  return isRight ? filled : undefined
}
