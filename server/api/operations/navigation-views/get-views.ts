/** `GET /navigation_views`: the caller's navigation views. */

import { readViews } from '../../../../db/personal/navigation-views.ts'
import { NAVIGATION_VIEW, viewNavigationView } from '../../../views/personal-lists-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getViews = operation({
  method: 'GET',
  path: '/navigation_views',
  summary: 'Get navigation views',
  access: 'user',
  params: {},
  reply: {
    navigation_views: { schema: arrayOf(NAVIGATION_VIEW), description: 'The views, the oldest first.' },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return { navigation_views: (await readViews(sql, user.id, state.appliedId)).map(viewNavigationView) }
  },
})
