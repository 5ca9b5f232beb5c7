/** Linkifiers. */

import {
  decideLinkifierOrder,
  decideLinkifierRemoval,
  decideLinkifierUpdate,
  decideNewLinkifier,
  type GivenLinkifier,
  NEW_LINKIFIER_ERRORS,
  REMOVE_LINKIFIER_ERRORS,
  REORDER_LINKIFIERS_ERRORS,
  UPDATE_LINKIFIER_ERRORS,
} from '../../decisions/organization/change-linkifiers.ts'
import { ALTERNATIVE_TEMPLATES_MAX, LINKIFIERS_MAX } from '../../domain/limits.ts'
import { LINKIFIER_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { anyOf, id, list, oneOf, optional, required, text, type Type, type ValuesOf } from '../params.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER, type Schema } from '../../domain/json-schema.ts'
import { LINKIFIER, viewLinkifier } from '../../views/organization-lists-view.ts'
import { change } from '../change-operation.ts'
import type { LinkifierId } from '../../domain/ids.ts'

const partType = text({ lengthMax: LINKIFIER_TEXT_LENGTH_MAX, trim: true })

/** A text; null if it is empty. */
const textOrNull: Type<string | null> = {
  isText: true,
  schema: { anyOf: [partType.schema, { type: 'null' }] },
  check(value, name) {
    const checked = partType.check(value, name)
    return checked === '' || checked === 'null' ? null : checked
  },
}

/** The parameters of a linkifier. */
const linkifierParams = {
  pattern: required(
    partType,
    'A regular expression in the syntax of RE2. The template can use its named groups, such as `(?P<id>[0-9]+)`.',
  ),
  url_template: required(
    partType,
    'The address of the link: a URL template by RFC 6570, in which `{id}` stands for the group `id`.',
  ),
  reverse_template: optional(
    textOrNull,
    'The text that clients insert for a pasted link, with `{id}` for the group `id`, and `{{` and `}}` for ' +
      'braces. It must give the example again.',
  ),
  example_input: optional(textOrNull, 'A text that the pattern matches.'),
  alternative_url_templates: optional(
    anyOf(oneOf(''), list(partType, { lengthMax: ALTERNATIVE_TEMPLATES_MAX })),
    'Templates of further links that clients turn into that text.',
  ),
}
type LinkifierValues = ValuesOf<typeof linkifierParams>

/** A linkifier from the parameters. */
function readLinkifier({
  pattern,
  url_template: urlTemplate,
  example_input: exampleInput,
  reverse_template: reverseTemplate,
  alternative_url_templates: alternatives,
}: LinkifierValues): GivenLinkifier {
  const alternativeUrlTemplates = alternatives === '' ? [] : alternatives
  return { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates }
}

const FILTER: Schema = {
  type: 'array',
  items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  minItems: 3,
  maxItems: 3,
}

/** `GET /realm/filters`: linkifiers in the form from before URL templates. */
export const getFilters = operation({
  method: 'GET',
  path: '/realm/filters',
  summary: 'Get linkifiers in their older form',
  description:
    'Each linkifier as its pattern, its address with `%(name)s` for a group, and its id. Templates that do ' +
    'more than insert groups are omitted; `GET /realm/linkifiers` lists all.',
  access: 'user',
  isDeprecated: true,
  params: {},
  reply: {
    filters: {
      schema: arrayOf(FILTER),
      description: 'Pattern, address and id of each, in the order in which they apply.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({
    filters: state.linkifiers.entries.flatMap(({ id, pattern, urlTemplate }) => {
      const format = toFormat(urlTemplate)
      return format === undefined ? [] : [[pattern, format, id]]
    }),
  }),
})

/** The older form of a URL template; undefined if it has none. */
function toFormat(urlTemplate: string): string | undefined {
  const format = urlTemplate.replaceAll('%', '%%').replaceAll(/\{(\w+)\}/g, '%($1)s')
  return format.includes('{') ? undefined : format
}

/** `GET /realm/linkifiers`. */
export const getLinkifiers = operation({
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'Get linkifiers',
  access: 'user',
  params: {},
  reply: {
    linkifiers: {
      schema: arrayOf(LINKIFIER),
      description: 'All linkifiers, in the order in which they apply.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ linkifiers: state.linkifiers.entries.map(viewLinkifier) }),
})

/** `POST /realm/filters`. */
export const createLinkifier = change({
  method: 'POST',
  path: '/realm/filters',
  summary: 'Add a linkifier',
  description:
    'For administrators. Text in messages and topics that matches the pattern becomes a link. Linkifiers apply ' +
    'in their order, the new one last. `errors` has the problems by parameter.',
  access: 'user',
  params: linkifierParams,
  reply: { id: { schema: INTEGER, description: "The new linkifier's id." } },
  errors: NEW_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifier: readLinkifier(params) }),
  decide: decideNewLinkifier,
  answer: (id) => ({ id }),
})

/** `PATCH /realm/filters/{filter_id}`. */
export const updateLinkifier = change({
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  summary: 'Update a linkifier',
  description:
    'For administrators. Optional parameters that are missing stay unchanged; empty ones are removed.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.'), ...linkifierParams },
  reply: {},
  errors: UPDATE_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifierId: params.filter_id, linkifier: readLinkifier(params) }),
  decide: decideLinkifierUpdate,
})

/** `PATCH /realm/linkifiers`: reorders the linkifiers. */
export const reorderLinkifiers = change({
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Reorder linkifiers',
  description: 'For administrators. If two match the same text, the earlier one makes the link.',
  access: 'user',
  params: {
    ordered_linkifier_ids: required(
      list(id<LinkifierId>(), { lengthMax: LINKIFIERS_MAX }),
      'The ids of all linkifiers, each once.',
    ),
  },
  reply: {},
  errors: REORDER_LINKIFIERS_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ order: params.ordered_linkifier_ids }),
  decide: decideLinkifierOrder,
})

/** `DELETE /realm/filters/{filter_id}`. */
export const deleteLinkifier = change({
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  summary: 'Remove a linkifier',
  description: 'For administrators. Existing messages keep their links.',
  access: 'user',
  params: { filter_id: required(id<LinkifierId>(), 'The id of the linkifier.') },
  reply: {},
  errors: REMOVE_LINKIFIER_ERRORS,
  events: ['realm_linkifiers'],
  prepare: ({ params }) => ({ linkifierId: params.filter_id }),
  decide: decideLinkifierRemoval,
})
