/** A way to log in that the server offers, and its icon. */

import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { Icon } from '../../ui/icon.tsx'
import { ownPicture } from '../../ui/own-picture.ts'

export type Method = ReplyOf<'GET /server_settings'>['external_authentication_methods'][number]

/** Pictures come from this server alone. */
export function MethodIcon({ picture }: { readonly picture: string | null }) {
  const own = picture === null ? undefined : ownPicture(picture)
  return own === undefined ? <Icon name="lock" /> : <img src={own} alt="" width={18} height={18} />
}
