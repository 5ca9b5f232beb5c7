/** `GET /realm/filters`: linkifiers in the form from before URL templates. */

import { operation } from '../../operation.ts'
import { arrayOf, type Schema } from '../../../domain/json-schema.ts'

const FILTER: Schema = {
  type: 'array',
  items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  minItems: 3,
  maxItems: 3,
}

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
