/** The function that serves one kind of form. */

import type { LoginExchange } from '../../api/login-exchange.ts'
import type { Services } from '../../api/services.ts'
import type { PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import type { Page } from '../reply.ts'

/** A request for such a page. */
export interface FormRequest {
  readonly method: string
  readonly path: string
  /** From the query and the body. */
  readonly fields: ReadonlyMap<string, string>
  /** The request at the door, which has counted it. */
  readonly exchange: LoginExchange
  readonly userAgent: string
  /** In the language of the person. */
  readonly texts: PageTexts
}

/** A page in the one look, or any other answer. */
export type PageForPeople = PeoplesPage | Page

/** Serves requests for one kind of path. */
export type ServeForm = (request: FormRequest, services: Services) => PageForPeople | Promise<PageForPeople>
