/** `POST /realm/playgrounds`. */

import {
  findTemplateVariables,
  leadsSomewhere,
} from '../../../../workers/pool/markdown/check-url-template.ts'
import {
  CODE_LANGUAGE_LENGTH_MAX,
  PLAYGROUND_NAME_LENGTH_MAX,
  PLAYGROUND_TEMPLATE_LENGTH_MAX,
  PLAYGROUNDS_MAX,
} from '../../../domain/limits.ts'
import { tellPlaygrounds } from '../../../decisions/organization/change-lists.ts'
import { LANGUAGE_ALIAS } from '../../../views/names.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { INTEGER } from '../../../domain/json-schema.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'

/** What the name of a language may hold. */
const LANGUAGE = /^[ a-zA-Z0-9_+,./#-]*$/

export const createPlayground = operation({
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Add a code playground',
  description: 'For administrators. Clients offer to open code of the language there.',
  access: 'user',
  params: {
    name: required(
      text({ lengthMax: PLAYGROUND_NAME_LENGTH_MAX, trim: true, blank: false }),
      'What it is called; with the language, unique.',
    ),
    highlighter_language: required(
      text({ lengthMax: CODE_LANGUAGE_LENGTH_MAX, trim: true, blank: false }),
      'The language, by the name that the highlighter has for it.',
      { aliases: [LANGUAGE_ALIAS] },
    ),
    url_template: required(
      text({ lengthMax: PLAYGROUND_TEMPLATE_LENGTH_MAX, trim: true, blank: false }),
      'Where code is opened: a URL template by RFC 6570 with one variable, `code`.',
    ),
  },
  reply: { id: { schema: INTEGER, description: "The new playground's id." } },
  errors: [
    'ROLE_REQUIRED',
    'PLAYGROUND_LANGUAGE_INVALID',
    'PLAYGROUND_TEMPLATE_INVALID',
    'PLAYGROUND_EXISTS',
    'TOO_MANY_PLAYGROUNDS',
  ],
  events: ['realm_playgrounds'],
  run({ user, params, services: { committer }, fail }) {
    const { name, highlighter_language: language, url_template: urlTemplate } = params
    return committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        if (!LANGUAGE.test(language)) throw fail('PLAYGROUND_LANGUAGE_INVALID')
        const fault = findTemplateFault(urlTemplate)
        if (fault !== undefined) throw fail('PLAYGROUND_TEMPLATE_INVALID', { message: fault })
        const { entries } = state.playgrounds
        if (entries.some((one) => one.language === language && one.name === name))
          throw fail('PLAYGROUND_EXISTS')
        if (entries.length >= PLAYGROUNDS_MAX)
          throw fail('TOO_MANY_PLAYGROUNDS', { countMax: PLAYGROUNDS_MAX })
        const id = state.nextPlaygroundId
        const after = [...entries, { id, name, language, urlTemplate }]
        return { events: [tellPlaygrounds(state, after)], reply: () => ({ id }) }
      },
    })
  },
})

function findTemplateFault(template: string): string | undefined {
  const variables = findTemplateVariables(template)
  // Clients open it as it is, so it leads nowhere else than links may.
  if (!variables || !leadsSomewhere(template)) return 'Invalid URL template.'
  if (!variables.includes('code')) return 'Missing the required variable "code" in the URL template'
  return variables.length > 1 ? '"code" should be the only variable present in the URL template' : undefined
}
