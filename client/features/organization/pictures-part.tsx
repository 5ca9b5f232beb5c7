/** The icon and the logos of the organization. */

import { useApp, useState } from '../../app/app.ts'
import { ownPicture } from '../../ui/own-picture.ts'
import { PictureSetting } from '../../ui/picture-setting.tsx'
import { t } from '../../texts/texts.ts'

export function PicturesPart() {
  const { api } = useApp()
  const state = useState()
  const size = t('PNG, JPEG, GIF or WebP, up to {size} MiB', {
    size: state.max_icon_file_size_mib ?? 0,
  })
  const icon = ownPicture(state.realm_icon_url ?? '')
  return (
    <section class="settings-part" aria-labelledby="organization-pictures">
      <h2 id="organization-pictures">{t('Icon and logo')}</h2>
      <h3>{t('Icon')}</h3>
      <PictureSetting
        id="organization-icon"
        label={t('Icon')}
        hint={t('Shown next to the name, even before people log in. {format}, cropped to a square.', {
          format: size,
        })}
        mayChange={state.is_admin === true}
        isUploaded={state.realm_icon_source === 'U'}
        upload={(file) => api.callWithFile('POST /realm/icon', {}, file)}
        remove={() => api.call('DELETE /realm/icon')}
      >
        <span class="face large">{icon !== undefined && <img src={icon} alt={t('Current icon')} />}</span>
      </PictureSetting>
      <Logo isNight={false} size={size} />
      <Logo isNight size={size} />
    </section>
  )
}

function Logo({ isNight, size }: { readonly isNight: boolean; readonly size: string }) {
  const { api } = useApp()
  const state = useState()
  const url = ownPicture((isNight ? state.realm_night_logo_url : state.realm_logo_url) ?? '')
  const name = isNight ? t('Logo for dark themes') : t('Logo')
  const frame = isNight ? 'organization-logo night' : 'organization-logo'
  return (
    <>
      <h3>{name}</h3>
      <PictureSetting
        id={isNight ? 'organization-night-logo' : 'organization-logo'}
        label={name}
        hint={t('Shown in other apps instead of theirs. {format}, scaled to at most 800 × 100 pixels.', {
          format: size,
        })}
        mayChange={state.is_admin === true}
        isUploaded={(isNight ? state.realm_night_logo_source : state.realm_logo_source) === 'U'}
        frame={frame}
        upload={(file) => api.callWithFile('POST /realm/logo', { night: isNight }, file)}
        remove={() => api.call('DELETE /realm/logo', { night: isNight })}
      >
        <span class={frame}>
          {url === undefined ? (
            <small>{t('None')}</small>
          ) : (
            <img src={url} alt={isNight ? t('Current logo for dark themes') : t('Current logo')} />
          )}
        </span>
      </PictureSetting>
    </>
  )
}
