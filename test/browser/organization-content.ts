/** The people, places and texts of a busy organization, written by people of five scripts. */

import type { RoleName } from '../../server/domain/entities.ts'
import { emailOf, PEOPLE, type Person } from '../harness/servers/start-server.ts'

/** The language in which a person mostly writes. */
type Language = 'english' | 'japanese' | 'korean' | 'chinese' | 'hebrew' | 'arabic'

export interface Member {
  readonly email: string
  readonly name: string
  readonly language: Language
  readonly role: RoleName
}

const DEFAULT_NAMES: Readonly<Partial<Record<Person, readonly [name: string, language?: Language]>>> = {
  owner: ['Noor Haddad'],
  administrator: ['Ines Moreau'],
  moderator: ['Tomás Ferreira'],
  member: ['Sam Weber'],
  member2: ['יעל כהן', 'hebrew'],
  guest: ['Samuel Osei'],
}

const MORE_NAMES: readonly (readonly [name: string, language?: Language])[] = [
  ['田中 さくら', 'japanese'],
  ['Maya Lindqvist'],
  ['محمد الأحمد', 'arabic'],
  ['김민준', 'korean'],
  ['Aiko Mori'],
  ['陈伟', 'chinese'],
  ['Elif Şahin'],
  ['Ben Adler'],
  ['Priya Raman'],
  ['נועם לוי', 'hebrew'],
  ['Ilir Kola'],
  ['فاطمة الزهراء', 'arabic'],
  ['Łukasz Wójcik'],
  ['佐藤 健', 'japanese'],
  ['Chinwe Okafor'],
  ['이서연', 'korean'],
  ['Ólafur Jónsson'],
  ['王芳', 'chinese'],
  ['Beatriz Castellanos de la Fuente'],
  ['ליאור מזרחי', 'hebrew'],
  ['Anders Holm'],
  ['خالد منصور', 'arabic'],
  ['Zoë Verhoeven'],
  ['Ñusta Quispe'],
]

/** Everybody, with ids from 1: first the default people, whose addresses stay. A bot writes nothing. */
export const MEMBERS: readonly Member[] = [
  ...PEOPLE.map((person): Member => {
    const [name, language = 'english'] = DEFAULT_NAMES[person] ?? ['Build Bot']
    const role = person === 'member2' || person === 'bot' ? 'member' : person
    return { email: emailOf(person), name, language, role }
  }),
  ...MORE_NAMES.map(
    ([name, language = 'english'], index): Member => ({
      email: `colleague${index + 1}@example.com`,
      name,
      language,
      role: 'member',
    }),
  ),
]

/** Folders with their channels; those of the last one are in none. */
export const FOLDERS: readonly (readonly [folder: string, channels: readonly string[]])[] = [
  [
    'Product',
    ['engineering', 'design', 'product', 'research', 'releases', 'docs', 'infra', 'security', 'mobile'],
  ],
  ['Company', ['all hands', 'hiring', 'people', 'finance', 'legal', 'office', 'travel', '東京オフィス']],
  ['Customers', ['support', 'sales', 'success', 'feedback', 'partners', 'الشرق الأوسط']],
  ['', ['general', 'random', 'lunch', 'books']],
]

export const PRIVATE_CHANNELS: ReadonlySet<string> = new Set(['security', 'hiring', 'finance'])

export const COLORS = ['#c2691c', '#2f7d4f', '#3f6fb5', '#8a5fbf', '#5967d8', '#7d8f1f', '#2f8a8f', '#b0436d']

export const DESCRIPTIONS = [
  'How we build it, and how we keep it running',
  'How it looks and feels',
  'What we make next, and why',
  'Questions are welcome',
]

/** Names of topics, besides those that are put together. */
export const NAMED_TOPICS: readonly string[] = [
  'Release 2.4',
  'Flaky uploads',
  'CI is red again',
  'Memory leak in worker',
  '新しいデザイン',
  'תוכנית עבודה',
  'خطة الأسبوع',
  '다음 주 일정',
  '季度计划',
  'A topic with a very long name that does not fit into its row and has to be cut somewhere',
]

export const SUBJECTS = [
  'Search',
  'Sign-up',
  'Billing',
  'Dark theme',
  'Exports',
  'Onboarding',
  'The index',
  'Backups',
  'Webhooks',
  'The editor',
  'Permissions',
  'Translations',
  'Pictures',
  'The API',
  'Invoices',
  'Notifications',
  'The roadmap',
  'Offsite',
  'Interviews',
  'Icons',
] // prettier-ignore
export const ASPECTS = [
  'is slow',
  'for phones',
  'after the review',
  'on Thursday',
  'questions',
  'notes',
  'numbers',
  'next steps',
  'without a mouse',
  'in March',
] // prettier-ignore

/** Plain sentences in each language. */
export const SENTENCES: Readonly<Record<Language, readonly string[]>> = {
  english: [
    'Do you have ten minutes before the review?',
    'The fix holds here: 200 runs, none red. Merge it?',
    'Green again: 8 min 50 s. Thank you!',
    'Pushed a fix, please have a look when you can.',
    'Does anyone know why the build on main takes 14 minutes now?',
    'A first draft, with fewer words than last time.',
    'I read it twice and have nothing to add.',
    'Heap after six hours, before and after the change: flat at last.',
    'We said Thursday, and Thursday it is, unless the rehearsal finds something that nobody has thought of so far.',
    'Moved to next week.',
    'Who has the numbers of last month?',
    'That was me, sorry. It is back.',
    'Two people asked for it again today. I think it is time.',
    'Let us try it with **one** team first, and write down what they say.',
  ],
  japanese: [
    'お疲れさまです。リリースの準備ができました。',
    '新しいアイコンを置きました。ご確認ください。',
    '明日の朝に本番へ反映します。',
    '会議は三時からに変わりました。',
  ],
  korean: [
    '지난번에는 12분 걸렸어요. 이번에는 나눠서 실행합시다.',
    '확인했습니다. 감사합니다!',
    '내일 오전에 다시 볼게요.',
  ],
  chinese: ['已经测试过了，没有问题。', '下周一开会讨论这个计划。', '请看一下最新的数据。'],
  hebrew: [
    'נראה מצוין, אפשר להעלות.',
    'עדכנתי את לוח הזמנים, נא לעבור עליו עד יום רביעי.',
    'תודה! אבדוק את זה מחר בבוקר.',
  ],
  arabic: ['هل يمكنك مراجعة الملف قبل الاجتماع؟', 'شكراً، كل شيء يعمل الآن.', 'سأرسل الخطة غداً صباحاً.'],
} // prettier-ignore

/** Texts that are more than a sentence; `{}` stands for a number of their own. */
export const BLOCKS: readonly string[] = [
  '```ts\nexport function fold(list: readonly Message[], most: number) {\n  return list.slice(0, most)\n}\n```',
  'It is this one:\n```sql\nselect id from uploads\n where kind is null and size > 0\n order by id limit 5000;\n```',
  '/poll Where do we eat on day {}?\nThe noodle place\nThe bakery\nOutside',
  '/poll When do we announce build {}?\nThursday, with the release\nFriday morning',
  '/todo Before build {}\nRead the notes: twice\nAsk the press\nTell support',
  '| Step | Owner | Minutes |\n|---|---|---:|\n| Build | Maya | 12 |\n| Rehearse | Tomás | 41 |\n| Announce | Noor | 5 |',
  '> Which statement held longest?\n\nThe second one, by far.',
  'Three things are open:\n1. the date\n2. the price\n3. the picture',
  '🎉 🍜',
  'All of it is here: https://example.com/notes/2-4 and `npm run migrate -- --dry-run` shows the rest.',
  '```spoiler Who won?\nThe green one, by a nose.\n```',
]
