import { createHmac } from 'node:crypto';
import { isSameSecret } from './same-secret.ts';

/** A form of one sign-in in one browser. */
export interface ConfirmationForm {
  /** Secret of the sign-in. */
  readonly formKey: string;
  /** Value of the cookie of the browser. */
  readonly browser: string;
}

/** Returns the token of the form that confirms a sign-in in a browser. */
export const confirmationToken = ({ formKey, browser }: ConfirmationForm): string =>
  createHmac('sha256', formKey).update(browser).digest('base64url');

/** Returns whether a form has the token of the sign-in and the browser. */
export const isConfirmationToken = (form: ConfirmationForm, token: string | undefined): boolean =>
  isSameSecret(token, confirmationToken(form));
