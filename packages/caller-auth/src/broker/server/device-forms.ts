import type { IncomingMessage } from 'node:http';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { deviceCodePage, deviceConfirmationPage, type FormFacts } from '../pages/form-pages.ts';
import { messagePage } from '../pages/message-page.ts';
import { signInPageHeaders } from '../pages/send-page.ts';
import type { Page } from '@gateway/service-host';

/** Codes that were in the address of the form, by request: the form shows them, and the person compares them with the device. */
const prefilledCodes = new WeakMap<IncomingMessage, string>();

const MAX_CODE_CHARS = 20;

/** Remembers the code in the address of a device form. */
export const prefillCode = (request: IncomingMessage, code: string): void => {
  if (code.length <= MAX_CODE_CHARS) prefilledCodes.set(request, code);
};

/** Answers a request of the authorization server with a page. */
export const respondPage = (ctx: KoaContextWithOIDC, page: Page): void => {
  ctx.set({ ...signInPageHeaders(page) });
  ctx.body = page.html;
};

const formOf = (ctx: KoaContextWithOIDC): FormFacts => {
  const secret = ctx.oidc.session?.state?.['secret'];
  return {
    action: new URL(ctx.oidc.urlFor('code_verification')).pathname,
    token: typeof secret === 'string' ? secret : '',
  };
};

const problemOf = (error: Error | undefined): string | undefined => {
  if (error === undefined) return undefined;
  return error.name === 'AbortedError'
    ? 'The sign-in was cancelled.'
    : 'The code is not valid or has expired. Enter the code that the device shows now.';
};

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** Returns the settings of the device flow (RFC 8628) with its pages. */
export const deviceFlow = (): DeviceFlow => ({
  enabled: true,
  charset: 'base-20',
  mask: '****-****',
  // Nothing about the device is shown, so nothing about it is stored.
  deviceInfo: () => ({}),
  userCodeInputSource: (ctx, _form, _out, error) => {
    const code = prefilledCodes.get(ctx.req) ?? '';
    if (error !== undefined) ctx.status = 400;
    respondPage(ctx, deviceCodePage(formOf(ctx), { code, problem: problemOf(error) }));
  },
  userCodeConfirmSource: (...[ctx, , client, , code]) => {
    const name = client.clientName ?? client.clientId;
    respondPage(ctx, deviceConfirmationPage(formOf(ctx), { code, name }));
  },
  successSource: (ctx) => {
    const page = messagePage('Signed in', 'The device is signed in. You can close this page.');
    respondPage(ctx, page);
  },
});
