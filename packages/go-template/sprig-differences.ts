/** How functions differ from those of Sprig 3.3, one sentence each, in Markdown. */
export const DIFFERENCES_FROM_SPRIG: readonly string[] = [
  '`set`, `unset`, `merge` and `mergeOverwrite` update a map that a variable holds: `{{ $_ := set $m "key" 1 }}`. They do not change other variables with the same map, a map inside another or the data of the run; there they return a new map.',
  'Lists and maps print as JSON, also through `toString`, `join`, `cat` and `quote`; numbers as in JSON (`1000000`), times as RFC 3339.',
  'There is one kind of number: `kindOf` and `typeOf` say `float64`, and `kindIs`, `typeIs` and `typeIsLike` also accept `int` and `int64` for a whole number.',
  'Whole numbers are exact up to ±(2^53 − 1); arithmetic beyond fails. Texts of infinities and NaN count as 0.',
  '`printf` fails where Go prints a complaint such as `%!d(string=x)`; `%b` takes no fraction.',
  '`round -1.2 0` is -1.',
  '`trunc`, `substr`, `abbrev`, `abbrevboth`, `wrap`, `wrapWith`, `initials` and `nospace` work on characters, not bytes; `substr` outside of the text is empty.',
  '`upper "ß"` is `SS`.',
  '`b64dec` and `b32dec` fail for what is not encoded text, `regexMatch` for a broken pattern or one of more than 1,000 characters.',
  'Functions that find nothing, and `rest` and `initial` of an empty list, return an empty list.',
  '`keys` and `values` are in order of the keys.',
  '`date` and `htmlDate` show UTC; an unknown zone fails, and a text is no time (see `toDate`). Times have milliseconds.',
  '`duration` takes numbers too; `semver` returns a map; `mustSlice` is for lists only.',
  'Nothing panics: the step fails with the name of the function and a reason. The budget of the rendering bounds every function.',
];

/** Functions of Sprig that templates do not have. */
export const LEFT_OUT: readonly { readonly names: readonly string[]; readonly why: string }[] = [
  {
    names: ['env', 'expandenv'],
    why: 'they would show secrets of the gateway',
  },
  { names: ['getHostByName'], why: 'it would use the network of the gateway' },
  {
    names: [
      'randAlphaNum',
      'randAlpha',
      'randAscii',
      'randNumeric',
      'randBytes',
      'randInt',
      'shuffle',
      'uuidv4',
    ],
    why: 'random',
  },
  {
    names: [
      'genPrivateKey',
      'genCA',
      'genCAWithKey',
      'genSelfSignedCert',
      'genSelfSignedCertWithKey',
      'genSignedCert',
      'genSignedCertWithKey',
      'buildCustomCert',
    ],
    why: 'random and slow',
  },
  {
    names: ['derivePassword', 'bcrypt', 'htpasswd', 'encryptAES', 'decryptAES'],
    why: 'they work on secrets, which would be recorded',
  },
  {
    names: ['call'],
    why: 'no value is a function',
  },
];
