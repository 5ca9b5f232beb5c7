/** Finds the emoji that other products' names mean. */

import { findEmojiCode } from '../../../workers/pool/emoji/emoji-table.ts'
import { findEmoji } from '../../decisions/emoji/choose-emoji.ts'
import { type CustomEmoji, findCustomEmoji } from '../../domain/organization/custom-emoji.ts'
import {
  type Emoji,
  EMOJI_CODE_LENGTH_MAX,
  EMOJI_NAME_LENGTH_MAX,
  isEmojiCode,
} from '../../domain/text/emoji.ts'
import type { ForeignReaction } from './records.ts'

/** The skin tones, from light to dark, by their code points. */
const TONES = ['1f3fb', '1f3fc', '1f3fd', '1f3fe', '1f3ff'] as const
const TONE_NAMES = ['light', 'medium_light', 'medium', 'medium_dark', 'dark'] as const
/**
 * Names that these products share and that mean another emoji here, or nothing: the names of iamcal/emoji-data and of
 * GitHub, compared with this server's table by their characters.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  secret: 'japanese_secret_button',
  ok: 'squared_ok',
  up: 'squared_up',
  de: 'flag_germany',
  moon: 'waxing_moon',
  medal: 'military_medal',
  ticket: 'pass',
  football: 'american_football',
  camping: 'campsite',
  post_office: 'japan_post',
  mouse: 'dormouse',
  cow: 'calf',
  tiger: 'tiger_cub',
  rabbit: 'bunny',
  cat: 'kitten',
  horse: 'pony',
  dog: 'puppy',
  pig: 'piglet',
  feet: 'paw_prints',
  kiss: 'lipstick_kiss',
  dizzy: 'seeing_stars',
  dollar: 'dollar_bills',
  euro: 'euro_banknotes',
  chart: 'stock_market',
  date: 'calendar',
  calendar: 'date',
  pencil: 'memo',
  newspaper: 'headlines',
  sound: 'softer',
  smile: 'big_smile',
  metro: 'subway',
  tram: 'oncoming_tram',
  train: 'tram',
  truck: 'moving_truck',
  traffic_light: 'horizontal_traffic_light',
  construction: 'work_in_progress',
  scooter: 'kick_scooter',
  hourglass: 'times_up',
  point_up: 'wait_one_second',
  golf: 'hole_in_one',
  x: 'cross_mark',
  loop: 'double_loop',
  o: 'circle',
  simple_smile: 'smile',
  raised_eyebrow: 'face_with_raised_eyebrow',
  roll_eyes: 'rolling_eyes',
  hugs: 'hug',
  frowning_face: 'sad',
  fu: 'middle_finger',
  vomiting_face: 'face_vomiting',
  vulcan_salute: 'spock',
  monocle_face: 'face_with_monocle',
  pout: 'rage',
  hand_over_mouth: 'face_with_hand_over_mouth',
  cursing_face: 'face_with_symbols_on_mouth',
  cowboy_hat_face: 'cowboy',
  smiling_face_with_three_hearts: 'smiling_face_with_hearts',
  heavy_heart_exclamation: 'heart_exclamation',
  fist_raised: 'fist',
  fist_oncoming: 'fist_bump',
  fist_left: 'left_fist',
  fist_right: 'right_fist',
  camera_flash: 'taking_a_picture',
  police_officer: 'police',
  woman_dancing: 'dancer',
  shopping: 'shopping_bags',
  plate_with_cutlery: 'hungry',
  record_button: 'record',
  eu: 'flag_european_union',
  tr: 'flag_türkiye',
  parasol_on_ground: 'beach_umbrella',
  sleeping_bed: 'in_bed',
  kiwi_fruit: 'kiwi',
  tickets: 'ticket',
  paperclips: 'office_supplies',
  '1st_place_medal': 'first_place',
  '2nd_place_medal': 'second_place',
  '3rd_place_medal': 'third_place',
  tipping_hand_person: 'information_desk_person',
  weight_lifting: 'lift',
  mountain_snow: 'snowy_mountain',
  cloud_with_rain: 'rainy',
  cloud_with_snow: 'snowy',
  cloud_with_lightning: 'lightning',
  wind_face: 'windy',
  balance_scale: 'justice',
}

/** The name here of an emoji that other products have; the same if nothing better is known. */
function toEmojiName(name: string): string {
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name] as string
  if (findEmojiCode(name) !== undefined) return name
  const flag = `flag_${name.replace(/^flag-/, '')}`
  return findEmojiCode(flag) === undefined ? name : flag
}

/** The emoji of a name, perhaps with a skin tone; undefined if there is none. */
function findForeignEmoji(given: string, custom: readonly CustomEmoji[]): Emoji | undefined {
  const { base, tone } = splitTone(given)
  const name = findCustomEmoji(custom, base) ? base : toEmojiName(base)
  const found = findEmoji(name, custom)
  if (found === undefined) return undefined
  const plain: Emoji = { emojiName: name, ...found }
  if (tone === undefined || found.reactionType !== 'unicode_emoji') return plain
  const emojiCode = withTone(found.emojiCode, tone)
  // The name of a known emoji means that one alone, so a toned one has a name of its own.
  return emojiCode === undefined ? plain : { ...plain, emojiName: `${name}_tone${tone + 1}`, emojiCode }
}

/** `wave::skin-tone-3` of Slack, or `wave_medium_light_skin_tone` of Mattermost. Slack counts from 2. */
function splitTone(given: string): { readonly base: string; readonly tone: number | undefined } {
  const slack = /^(.+?)::skin-tone-([2-6])$/.exec(given)
  if (slack) return { base: slack[1] ?? given, tone: Number(slack[2]) - 2 }
  const mattermost = /^(.+?)_(light|medium_light|medium|medium_dark|dark)_skin_tone$/.exec(given)
  if (!mattermost) return { base: given, tone: undefined }
  return {
    base: mattermost[1] ?? given,
    tone: TONE_NAMES.indexOf(mattermost[2] as (typeof TONE_NAMES)[number]),
  }
}

/** The code with a tone behind its first character; undefined if that is no emoji. */
function withTone(code: string, tone: number): string | undefined {
  const [first = '', ...rest] = code.split('-')
  const toned = [first, TONES[tone], ...rest].join('-')
  return isEmojiCode(toned) ? toned : undefined
}

const IN_TEXT = /:([a-z0-9_+'-]{1,60})(?:::skin-tone-[2-6])?:/g

/** A text with the names of its emoji as they are here. */
export function translateEmoji(text: string): string {
  return text.replaceAll(IN_TEXT, (_, name: string) => `:${toEmojiName(name)}:`)
}

/** The emoji of a reaction; undefined if there is none. */
export function findReactionEmoji(
  { name, own }: Pick<ForeignReaction, 'name' | 'own'>,
  custom: readonly CustomEmoji[],
): Emoji | undefined {
  if (own?.type !== 'unicode_emoji') return own ? findNamed(name, custom) : findForeignEmoji(name, custom)
  const isNamed = /^[\p{L}\p{N}_+-]+$/u.test(name) && name.length <= EMOJI_NAME_LENGTH_MAX
  if (!isNamed || own.code.length > EMOJI_CODE_LENGTH_MAX || !isEmojiCode(own.code)) return undefined
  return { emojiName: name, emojiCode: own.code, reactionType: 'unicode_emoji' }
}

function findNamed(name: string, custom: readonly CustomEmoji[]): Emoji | undefined {
  const found = findEmoji(name, custom)
  return found && { emojiName: name, ...found }
}
