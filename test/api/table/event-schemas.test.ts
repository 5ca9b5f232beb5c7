/** The event schemas: complete, described, and in the documents. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createNames } from '../../../server/views/names.ts'
import { describeApi } from '../../../server/api/openapi.ts'
import type { Schema } from '../../../server/domain/json-schema.ts'
import { OPERATIONS } from '../../../server/api/table.ts'
import { WIRE_EVENTS } from '../../../server/events/wire-events.ts'
import { noteEvent } from '../../harness/client/note-event.ts'
import { describeEvents } from './describe-events.ts'

const PAGE = join(import.meta.dirname, '../../../docs/events.md')

t.test('[EVSCHEMA1] docs/events.md lists every event; UPDATE_DOCS=1 writes it anew', async (t) => {
  const page = describeEvents()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, page)
  t.equal(readFileSync(PAGE, 'utf8'), page)
})

t.test('[EVSCHEMA2] every form of every event has an id and a description', async (t) => {
  for (const { name, forms } of WIRE_EVENTS) {
    for (const { required, description } of forms) {
      t.ok((required as string[]).includes('id'), name)
      t.match(description, /^[A-Z`].*\.$/, name)
    }
  }
})

/** The parts of the document that the test reads. */
interface OpenApi {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>> & {
      readonly Event: { readonly oneOf: readonly { readonly $ref: string }[] }
      readonly 'event.restart': { readonly properties: object }
    }
  }
  readonly paths: {
    readonly '/events': {
      readonly get: {
        readonly responses: {
          readonly 200: {
            readonly content: {
              readonly 'application/json': {
                readonly schema: { readonly properties: { readonly events: { readonly items: Schema } } }
              }
            }
          }
        }
      }
    }
  }
}

t.test(
  '[EVSCHEMA3] the OpenAPI document has a schema for each event, and GET /events refers to them',
  async (t) => {
    const names = createNames(true)
    const { components, paths } = describeApi({
      operations: OPERATIONS,
      names,
      version: '0',
    }) as unknown as OpenApi
    const kinds = WIRE_EVENTS.map(({ name }) => `event.${name.replace('/', '.')}`)
    t.same(
      components.schemas.Event.oneOf.map((one) => one.$ref.split('/').at(-1)),
      kinds,
    )
    for (const kind of kinds) t.ok(components.schemas[kind], kind)
    const reply = paths['/events'].get.responses[200].content['application/json'].schema
    t.same(reply.properties.events.items, { $ref: '#/components/schemas/Event' })
    t.ok('zulip_version' in components.schemas['event.restart'].properties)
  },
)

t.test(
  '[EVSCHEMA4] an event with an undeclared field, or without a declared one, fails its test',
  async (t) => {
    const event = { id: 1, type: 'user_group', op: 'remove', group_id: 2 }
    t.doesNotThrow(() => noteEvent(event))
    t.throws(() => noteEvent({ ...event, name: 'x' } as never), /user_group.name is not declared/)
    t.throws(() => noteEvent({ id: 1, type: 'user_group', op: 'remove' } as never), /group_id is missing/)
    t.throws(() => noteEvent({ id: 1, type: 'unheard_of' } as never), /there is no event unheard_of/)
  },
)
