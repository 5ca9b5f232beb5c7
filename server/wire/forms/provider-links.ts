/** The links of a page to the log-ins by providers. */

import { providerLoginPath } from '../../api/provider-paths.ts'
import type { Services } from '../../api/services.ts'
import type { Html } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { linkButton } from './parts.ts'

/** A button to each provider, with fields for its start. */
export function providerLinks(
  { loginProviders }: Pick<Services, 'loginProviders'>,
  { t }: PageTexts,
  fields: Readonly<Record<string, string>>,
): readonly Html[] {
  const query = new URLSearchParams(fields).toString()
  return loginProviders.map(({ settings: { name, displayName } }) => {
    const path = providerLoginPath(name) + (query === '' ? '' : `?${query}`)
    return linkButton(t('Log in with {provider}', { provider: displayName }), path, 'quiet')
  })
}
