/** The links of a page to the log-ins by providers. */

import { providerLoginPath, samlPath } from '../../api/provider-paths.ts'
import type { Services } from '../../api/services.ts'
import type { Html } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { linkButton } from './parts.ts'

/** A button to each provider, with fields for its start. */
export function providerLinks(
  { loginProviders, samlProviders }: Pick<Services, 'loginProviders' | 'samlProviders'>,
  { t }: PageTexts,
  fields: Readonly<Record<string, string>>,
): readonly Html[] {
  const query = new URLSearchParams(fields).toString()
  const link = (provider: string, path: string) =>
    linkButton(t('Log in with {provider}', { provider }), path + (query === '' ? '' : `?${query}`), 'quiet')
  return [
    ...loginProviders.map(({ settings }) => link(settings.displayName, providerLoginPath(settings.name))),
    ...samlProviders.map(({ settings }) => link(settings.displayName, samlPath(settings.name))),
  ]
}
