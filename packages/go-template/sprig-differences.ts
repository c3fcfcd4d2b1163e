/** How functions differ from those of Sprig 3.3, one sentence each, in Markdown. */
export const DIFFERENCES_FROM_SPRIG: readonly string[] = [
  '`set`, `unset`, `merge` and `mergeOverwrite` update a map that a variable holds, as in Sprig: `{{ $_ := set $m "key" 1 }}`. They do not change other variables with the same map, a map inside another (`$m.sub`) or the data of the run; there they return a new map, and `{{ $_ := set .input "key" 1 }}` is refused. `deepCopy` has nothing to copy.',
  'Lists and maps print as JSON, also through `toString`, `join`, `cat` and `quote`; numbers print as JSON prints them (`1000000`, not `1e+06`), null as `null`, times as RFC 3339.',
  'There is one kind of number: `kindOf` and `typeOf` say `float64`, and `kindIs`, `typeIs` and `typeIsLike` also say yes to `int` and `int64` for a whole number. Arguments of type `int` in Sprig accept any whole number.',
  'Whole numbers are exact up to ±(2^53 − 1); arithmetic beyond fails instead of wrapping around. Texts of infinities and NaN count as 0, and zero has no sign.',
  '`printf` fails where Go prints a complaint such as `%!d(string=x)`. `%v` and `%s` print lists and maps as JSON, also with `#` and with a width; `%b` takes no fraction, and `%f` takes whole numbers.',
  '`round` treats negative numbers as it treats positive ones: `round -1.2 0` is -1.',
  '`trunc`, `substr`, `abbrev`, `abbrevboth`, `wrap`, `wrapWith`, `initials` and `nospace` work on characters, not bytes, and never cut one in two; `substr` outside of the text is empty instead of an error.',
  '`upper` and `lower` follow the full rules of Unicode: `upper "ß"` is `SS`.',
  '`b64dec` and `b32dec` fail for what is not encoded text, instead of returning the message as a value.',
  '`regexMatch` fails for a broken pattern instead of saying no; patterns have up to 1,000 characters. Functions that find nothing give an empty list, not null.',
  '`rest` and `initial` of an empty list are empty lists, not null.',
  '`keys` and `values` are in order of the keys.',
  '`date` and `htmlDate` show UTC, whatever the zone of the machine; a name that is no zone fails instead of meaning UTC, and a text is no time (see `toDate`) instead of meaning now. Times have milliseconds; abbreviations of zones before 2024 may be those of today, or the offset.',
  '`duration` takes numbers as well as texts; `semver` gives a map, not an object with methods; `mustSlice` is for lists, `slice` for lists and texts.',
  'Nothing panics: what would is a failure of the step, with the name of the function and a reason. Every function works within the budget of its rendering, which bounds what it makes and how long it takes.',
];

/** Functions of Sprig that templates do not have. */
export const LEFT_OUT: readonly { readonly names: readonly string[]; readonly why: string }[] = [
  {
    names: ['env', 'expandenv'],
    why: 'They would show the environment of the gateway, including secrets, to authors of workflows.',
  },
  { names: ['getHostByName'], why: 'It would look up names in the network of the gateway.' },
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
    why: 'They give something else every time.',
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
    why: 'Keys and certificates are random, slow to make, and do not belong into documents that are recorded.',
  },
  {
    names: ['derivePassword', 'bcrypt', 'htpasswd', 'encryptAES', 'decryptAES'],
    why: 'They work on secrets, which a workflow would write into its record; most are slow on purpose or random.',
  },
  {
    names: ['call'],
    why: "Go's own function for calling values: no value here is a function.",
  },
];
