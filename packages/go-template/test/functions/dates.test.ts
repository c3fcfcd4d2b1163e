import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Dates and times', () => {
  printsEach([
    [
      '{{ $t := toDate "2006-01-02T15:04:05Z07:00" "2017-12-31T23:04:05.678+02:00" }}{{ date "Mon Jan _2 15:04:05 2006" $t }}|{{ date "Monday, 02-Jan-06 15:04:05 MST" $t }}|{{ date "2006-01-02T15:04:05.000Z07:00" $t }}|{{ date "3:04PM 03:4:5 pm .999 ,000000" $t }}|{{ date "002 __2 January 1" $t }}|{{ unixEpoch $t }}',
      'Sun Dec 31 21:04:05 2017|Sunday, 31-Dec-17 21:04:05 UTC|2017-12-31T21:04:05.678Z|9:04PM 09:4:5 pm .678 ,678000|365 365 December 12|1514754245',
    ],
    [
      '{{ $t := toDate "2006-01-02" "2024-07-04" }}{{ dateInZone "2006-01-02 15:04:05 -0700 MST" $t "America/New_York" }}|{{ dateInZone "15:04 Z07:00 -07 Z0700 MST" $t "Asia/Kolkata" }}|{{ dateInZone "15:04 Z07:00 MST" $t "UTC" }}|{{ dateInZone "MST -07:00:00" $t "Europe/Berlin" }}|{{ dateInZone "MST" $t "Asia/Tokyo" }}|{{ dateInZone "MST" $t "Australia/Sydney" }}|{{ dateInZone "MST" $t "America/Sao_Paulo" }}|{{ dateInZone "MST" $t "Europe/London" }}|{{ dateInZone "MST" $t "Africa/Johannesburg" }}',
      '2024-07-03 20:00:00 -0400 EDT|05:30 +05:30 +05 +0530 IST|00:00 Z UTC|CEST +02:00:00|JST|AEST|-03|BST|SAST',
    ],
    [
      '{{ range list "2026-01-15" "2026-07-15" "2026-01-15" }}{{ dateInZone "MST" (toDate "2006-01-02" .) "Europe/London" }} {{ end }}',
      'GMT BST GMT ',
    ],
    [
      '{{ range list "Asia/Shanghai" "PRC" "Asia/Seoul" "Europe/Moscow" "Asia/Manila" "Europe/Dublin" "Israel" "GMT" "Asia/Dubai" }}{{ dateInZone "MST" (toDate "2006-01-02" "2026-07-15") . }} {{ end }}',
      'CST CST KST MSK PST IST IDT GMT +04 ',
    ],
    ['{{ htmlDate 0 }}', '1970-01-01'],
    ['{{ htmlDateInZone 0 "America/New_York" }}', '1969-12-31'],
    ['{{ date "2006" 1500000000 }}', '2017'],
    ['{{ dateInZone "15:04" 0 "Asia/Tokyo" }}', '09:00'],
    [
      '{{ toDate "2006-01-02" "2017-12-31" | dateModify "-1.5h" | date "2006-01-02 15:04" }}',
      '2017-12-30 22:30',
    ],
    [
      '{{ toDate "15:04" "13:02" | date "3:04PM" }}|{{ toDate "3:04PM" "13:02PM" | date "3:04PM" }}|{{ dateInZone "2006 15:04" (toDate "15:04" "01:00") "America/New_York" }}',
      '1:02PM|12:00AM|-0001 20:03',
    ],
    ['{{ toDate "2006-01-02" "2017-12-31" | dateModify "x" | date "2006-01-02" }}', '2017-12-31'],
    ['{{ toDate "2006-01-02" "2017-12-31" | mustDateModify "36h" | htmlDate }}', '2018-01-01'],
    ['{{ toDate "2006-01-02" "2017-12-31" | date_modify "1ms" | date "05.000" }}', '00.001'],
    ['{{ toDate "2006-01-02" "nope" | date "2006-01-02" }}', '0001-01-01'],
    [
      '{{ toDate "Jan 2, 2006 at 3:04pm (MST)" "Feb 3, 2013 at 7:54pm (PST)" | unixEpoch }}',
      '1359921240',
    ],
    ['{{ toDate "2006-002" "2024-366" | htmlDate }}', '2024-12-31'],
    ['{{ toDate "06-1-2" "69-3-4" | htmlDate }}', '1969-03-04'],
    ['{{ toDate "06-1-2" "68-3-4" | htmlDate }}', '2068-03-04'],
    ['{{ toDate "Monday January 2 2006" "tuesday MARCH 5 2024" | htmlDate }}', '2024-03-05'],
    ['{{ toDate "2006-01-02 15:04:05" "2024-01-01 10:11:12.5" | date "05.0" }}', '12.5'],
    ['{{ toDate "2006-01-02  15:04" "2024-01-01 10:11" | date "15" }}', '10'],
    ['{{ toDate "02/01/06 3PM" "01/02/24 12AM" | date "2006-01-02 15" }}', '2024-02-01 00'],
    ['{{ duration "95" }}', '1m35s'],
    ['{{ duration "3600" }}', '1h0m0s'],
    ['{{ duration "x" }}', '0s'],
    ['{{ duration "-61" }}', '-1m1s'],
    ['{{ duration "0" }}', '0s'],
    ['{{ duration "90061" }}', '25h1m1s'],
    ['{{ durationRound "2h10m5s" }}', '2h'],
    ['{{ durationRound "2400h10m5s" }}', '3mo'],
    ['{{ durationRound "1h" }}', '60m'],
    ['{{ durationRound "-3h" }}', '3h'],
    ['{{ durationRound "1.5s" }}', '1s'],
    ['{{ durationRound "x" }}', '0s'],
    ['{{ durationRound "24h5s" }}', '1d'],
    ['{{ durationRound "9000h" }}', '1y'],
    ['{{ durationRound "100ms" }}', '0s'],
    ['{{ duration 95 }}', '1m35s'],
    ['{{ ago 0 }}', '490923h4m5s'],
    ['{{ ago (now | dateModify "5s") }}', '-5s'],
    ['{{ durationRound (now | dateModify "-49h") }}', '2d'],
    ['{{ durationRound 3600000000001 }}', '1h'],
    ['{{ now | toString }}', '2026-01-02T03:04:05Z'],
  ]);

  failsEach([
    [
      '{{ toDate "2006-01-02" "2017-12-31" | mustDateModify "x" }}',
      'mustDateModify: cannot read "x" as a duration',
    ],
    [
      '{{ mustToDate "2006-01-02" "2017-13-31" }}',
      'mustToDate: cannot read "2017-13-31" as a time in the form "2006-01-02"',
    ],
    [
      '{{ mustToDate "2006-01-02" "2017-02-29" }}',
      'mustToDate: cannot read "2017-02-29" as a time in the form "2006-01-02"',
    ],
    [
      '{{ mustToDate "15:04" "25:00" }}',
      'mustToDate: cannot read "25:00" as a time in the form "15:04"',
    ],
    ['{{ toDate "2006" 1 }}', 'toDate: argument 2 must be a string, but is a number'],
    [
      '{{ date "2006" "2020-01-01" }}',
      'date: argument 2 must be a time or seconds, but is a string; see toDate',
    ],
    ['{{ date "2006" nil }}', 'date: argument 2 must be a time or seconds, but is null'],
    [
      '{{ dateInZone "2006" 0 "Mars/Olympus" }}',
      'dateInZone: there is no time zone "Mars/Olympus"',
    ],
    ['{{ unixEpoch 5 }}', 'unixEpoch: argument 1 must be a time, but is a number'],
    ['{{ dateModify "1h" "x" }}', 'dateModify: argument 2 must be a time, but is a string'],
    [
      '{{ now | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" | dateModify "2500000h" }}',
      'dateModify: the time is outside of the years 0 to 9999',
    ],
    ['{{ date "2006" 1e18 }}', 'date: argument 2 must be a time in the years 0 to 9999'],
    ['{{ duration 1e300 }}', 'duration: 1e+300 seconds are more than a duration can be'],
  ]);
});
