/** The actions on a view of messages, whatever it shows. */

import { type Narrow, splitNear } from '../../store/narrows/narrow.ts'
import { type Action, always } from '../../ui/action.ts'
import { isPhone } from '../../ui/use-phone.ts'
import { hasPanel } from '../panel/has-panel.ts'
import { t } from '../../texts/texts.ts'

const jumpToDate: Action<Narrow> = {
  name: 'jump-to-date',
  label: t('Jump to date'),
  may: always,
  run: ({ handles }) => handles.days?.ask(),
}

const showTopics: Action<Narrow> = {
  name: 'show-topics',
  label: t('All topics'),
  may: (_, narrow) => channelIdOf(narrow) !== undefined,
  to: (_, narrow) => ({ view: 'topics', path: [String(channelIdOf(narrow))] }),
}

/** A phone has no room for its button. */
const showDetails: Action<Narrow> = {
  name: 'show-details',
  label: t('Details'),
  may: ({ isVisitor }, narrow) => !isVisitor && isPhone() && hasPanel({ view: 'narrow', narrow }),
  run: ({ device }) => void (device.panelIsOpen.value = true),
}

export const NARROW_ACTIONS: readonly Action<Narrow>[] = [jumpToDate, showTopics, showDetails]

function channelIdOf(narrow: Narrow): number | undefined {
  const channel = splitNear(narrow).narrow.find(({ operator }) => operator === 'channel')
  return typeof channel?.operand === 'number' ? channel.operand : undefined
}
