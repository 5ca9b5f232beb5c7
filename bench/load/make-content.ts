/** The text of sent messages. */

const SENTENCES = [
  'the build of last night is green again.',
  'could somebody look at the second page of the report, please?',
  'I moved the meeting to three, since two of us are on the train until half past two.',
  'thanks!',
  'that is what I saw yesterday as well; it went away after the restart, but I would not bet on it.',
]

/** A short message that starts with its mark, which is unique. */
export function makeContent(mark: number): string {
  return `${mark} ${SENTENCES[mark % SENTENCES.length]}`
}
