/** The sound of a notification, made by the browser itself. */

/** Seconds until the tone has faded. */
const FADE_SECONDS = 0.5
/** Hertz of both tones. */
const TONES = [880, 1_320]

let context: AudioContext | undefined

/** Plays a sound by its name in the settings; `none` plays nothing. */
export function playSound(name: string): void {
  if (name === 'none' || !('AudioContext' in globalThis)) return
  context ??= new AudioContext()
  const { currentTime: now, destination } = context
  const volume = context.createGain()
  volume.connect(destination)
  volume.gain.setValueAtTime(0.15, now)
  volume.gain.exponentialRampToValueAtTime(0.001, now + FADE_SECONDS)
  for (const [index, hertz] of TONES.entries()) {
    const tone = context.createOscillator()
    tone.frequency.value = hertz
    tone.connect(volume)
    tone.start(now + index * 0.08)
    tone.stop(now + FADE_SECONDS)
  }
}
