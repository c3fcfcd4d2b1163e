import { MAX_ICON_CHARS, MAX_URL_CHARS } from '../limits.ts';

/**
 * The start of the address of an icon: `https://`, or that of an image of pixels as `data:` URL. An SVG as `data:` URL may contain scripts.
 */
export const ICON_URL_START = /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/u;

const HOST = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\\.?|\\[[0-9A-Fa-f:.]{2,45}\\])';
const REST = "(?:[/?#][-A-Za-z0-9_.~!$&'()*+,;=:@%/?#]*)?";
const WEB_ADDRESS = new RegExp(`^https://${HOST}(?::[0-9]{1,5})?${REST}$`, 'u');
const BASE64 = /^[^,]*,[A-Za-z0-9+/]+=?=?$/u;

const isIconUrl = (url: string): boolean =>
  ICON_URL_START.test(url) && (url.startsWith('data:') ? BASE64 : WEB_ADDRESS).test(url);

const MUST =
  'must be an https:// URL without user and password, or a data: URL of a PNG, JPEG, GIF or WebP image in base64';

/**
 * Returns why the address of an icon is refused, or `undefined`. The empty text removes the icon. The address is not repeated, because it
 * may contain a password.
 *
 * @spec §4.4
 */
export const iconUrlProblem = (iconUrl: string | undefined): string | undefined => {
  if (iconUrl === undefined || iconUrl.trim() === '') return undefined;
  const max = iconUrl.startsWith('data:') ? MAX_ICON_CHARS : MAX_URL_CHARS;
  if (iconUrl.length > max) return `iconUrl is longer than ${max} characters`;
  return isIconUrl(iconUrl) ? undefined : `iconUrl ${MUST}`;
};
