/** Stripe: customers, subscriptions, invoices and payments. */

import type { Integration, Posting } from '../integration.ts'
import { bold, code, link, plain } from '../markdown.ts'
import { at, firstOf, neededObject, neededText, numberAt, textAt } from '../payload.ts'
import { STRIPE } from '../signatures.ts'

/** Currencies without smaller coins, whose amounts are whole. */
const WHOLE_CURRENCIES = [
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'ugx',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]

/** Events with the field of their amount, the verb, and the path of the object in the dashboard. */
const EVENTS: ReadonlyMap<string, readonly [verb: string, amount: string, path: string]> = new Map([
  ['charge.succeeded', ['✅ Charge succeeded', 'amount', 'payments']],
  ['charge.failed', ['❌ Charge failed', 'amount', 'payments']],
  ['charge.refunded', ['Charge refunded', 'amount_refunded', 'payments']],
  ['charge.dispute.created', ['🔴 Dispute opened', 'amount', 'disputes']],
  ['charge.dispute.closed', ['Dispute closed', 'amount', 'disputes']],
  ['checkout.session.completed', ['✅ Checkout completed', 'amount_total', 'checkout/sessions']],
  ['customer.created', ['Customer created', '', 'customers']],
  ['customer.updated', ['Customer updated', '', 'customers']],
  ['customer.deleted', ['Customer deleted', '', 'customers']],
  ['customer.subscription.created', ['Subscription created', '', 'subscriptions']],
  ['customer.subscription.updated', ['Subscription updated', '', 'subscriptions']],
  ['customer.subscription.deleted', ['Subscription ended', '', 'subscriptions']],
  ['customer.subscription.trial_will_end', ['Trial ends soon', '', 'subscriptions']],
  ['invoice.created', ['Invoice created', 'amount_due', 'invoices']],
  ['invoice.finalized', ['Invoice finalized', 'amount_due', 'invoices']],
  ['invoice.paid', ['✅ Invoice paid', 'amount_paid', 'invoices']],
  ['invoice.payment_failed', ['❌ Payment of an invoice failed', 'amount_due', 'invoices']],
  ['invoice.payment_action_required', ['🟠 Payment of an invoice needs an action', 'amount_due', 'invoices']],
  ['payment_intent.succeeded', ['✅ Payment succeeded', 'amount_received', 'payments']],
  ['payment_intent.payment_failed', ['❌ Payment failed', 'amount', 'payments']],
  ['payout.paid', ['Payout paid', 'amount', 'payouts']],
  ['payout.failed', ['❌ Payout failed', 'amount', 'payouts']],
])

export const stripe: Integration = {
  name: 'stripe',
  title: 'Stripe',
  takes: 'json',
  events: [...EVENTS.keys()],
  headers: [],
  signature: STRIPE,
  deliveryId: ({ payload }) => textAt(payload, 'id'),
  read({ payload }) {
    const event = neededText(payload, 'type')
    const known = EVENTS.get(event)
    return known ? { event, ...describe(payload, known) } : { unsupported: event }
  },
}

function describe(
  payload: unknown,
  [verb, field, path]: readonly [string, string, string],
): Omit<Posting, 'event'> {
  const object = neededObject(payload, 'data', 'object')
  const id = neededText(object, 'id')
  const test = at(payload, 'livemode') === false ? 'test/' : ''
  const url = `https://dashboard.stripe.com/${test}${path}/${encodeURIComponent(id)}`
  const amount = field === '' ? '' : money(numberAt(object, field), textAt(object, 'currency'))
  const who = firstOf(
    textAt(object, 'customer_email'),
    textAt(object, 'customer_details', 'email'),
    textAt(object, 'billing_details', 'email'),
    textAt(object, 'email'),
    textAt(object, 'receipt_email'),
    textAt(object, 'customer'),
  )
  const why = firstOf(
    textAt(object, 'failure_message'),
    textAt(object, 'last_payment_error', 'message'),
    textAt(object, 'cancellation_details', 'reason'),
    path === 'disputes' ? textAt(object, 'reason') : '',
  )
  const status = path === 'subscriptions' ? textAt(object, 'status') : ''
  const content = [
    `${link(verb, url)}${amount === '' ? '' : `: ${bold(amount)}`}`,
    who === '' ? '' : `for ${plain(who)}`,
    status === '' ? '' : `(${code(status)})`,
  ]
  const line = `${content.filter((text) => text !== '').join(' ')}.`
  return {
    topic: firstOf(path.split('/')[0] ?? '', 'Stripe'),
    content: why === '' ? line : `${line} ${plain(why)}`,
  }
}

/** Such as `12.50 EUR`. */
function money(amount: number | undefined, currency: string): string {
  if (amount === undefined || currency === '') return ''
  const digits = WHOLE_CURRENCIES.includes(currency.toLowerCase()) ? 0 : 2
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`
}
