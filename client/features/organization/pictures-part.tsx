/** The icon and the logos of the organization. */

import { useApp, useState } from '../../app/app.ts'
import { ownPicture } from '../../ui/own-picture.ts'
import { PictureSetting } from '../../ui/picture-setting.tsx'

export function PicturesPart() {
  const { api } = useApp()
  const state = useState()
  const size = `PNG, JPEG, GIF or WebP, up to ${state.max_icon_file_size_mib} MiB`
  const icon = ownPicture(state.realm_icon_url ?? '')
  return (
    <section class="settings-part" aria-labelledby="organization-pictures">
      <h2 id="organization-pictures">Icon and logo</h2>
      <h3>Icon</h3>
      <PictureSetting
        id="organization-icon"
        label="Icon"
        hint={`Shown next to the name, even before people log in. ${size}, cropped to a square.`}
        mayChange={state.is_admin === true}
        isUploaded={state.realm_icon_source === 'U'}
        upload={(file) => api.callWithFile('POST /realm/icon', {}, file)}
        remove={() => api.call('DELETE /realm/icon')}
      >
        <span class="face large">{icon !== undefined && <img src={icon} alt="Current icon" />}</span>
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
  const name = isNight ? 'Logo for dark themes' : 'Logo'
  const frame = isNight ? 'organization-logo night' : 'organization-logo'
  return (
    <>
      <h3>{name}</h3>
      <PictureSetting
        id={isNight ? 'organization-night-logo' : 'organization-logo'}
        label={name}
        hint={`Shown in other apps instead of theirs. ${size}, scaled to at most 800 × 100 pixels.`}
        mayChange={state.is_admin === true}
        isUploaded={(isNight ? state.realm_night_logo_source : state.realm_logo_source) === 'U'}
        frame={frame}
        upload={(file) => api.callWithFile('POST /realm/logo', { night: isNight }, file)}
        remove={() => api.call('DELETE /realm/logo', { night: isNight })}
      >
        <span class={frame}>
          {url === undefined ? <small>None</small> : <img src={url} alt={`Current ${name.toLowerCase()}`} />}
        </span>
      </PictureSetting>
    </>
  )
}
