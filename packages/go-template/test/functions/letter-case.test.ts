import { describe } from 'vitest';
import { failsEach, printsEach } from './render-function.ts';

describe('Letters and names', () => {
  printsEach([
    ['{{ upper "straße" }}', 'STRASSE'],
    ['{{ title "hello-world foo_bar 1st o\'neil" }}', "Hello-World Foo_bar 1st O'Neil"],
    ['{{ title "élan vital" }}', 'Élan Vital'],
    ['{{ untitle "Hello World-Wide" }}', 'hello world-Wide'],
    ['{{ swapcase "Hello World" }}', 'hELLO wORLD'],
    ['{{ initials "First second  third" }}', 'Fst'],
    ['{{ initials "" }}', ''],
    ['{{ snakecase "FirstName" }}', 'first_name'],
    ['{{ snakecase "NoHTTPS" }}', 'no_https'],
    ['{{ snakecase "GO PATH-name" }}', 'go_path_name'],
    ['{{ snakecase "http2xx" }}', 'http_2xx'],
    ['{{ snakecase "HTTP20xOK" }}', 'http_20x_ok'],
    ['{{ snakecase "_camelCase" }}', '_camel_case'],
    ['{{ snakecase "HELLO____WORLD" }}', 'hello____world'],
    ['{{ snakecase "HTTP20XStatus" }}', 'http20_x_status'],
    ['{{ snakecase "user1" }}', 'user1'],
    ['{{ snakecase "user1x" }}', 'user_1x'],
    ['{{ kebabcase "EC2Instance" }}', 'ec2-instance'],
    ['{{ snakecase "Wi_thF" }}', 'wi_th_f'],
    ['{{ kebabcase "HTTPServer" }}', 'http-server'],
    ['{{ kebabcase "my_var name" }}', 'my-var-name'],
    ['{{ camelcase "http_server" }}', 'HttpServer'],
    ['{{ camelcase "_complex__case_" }}', '_Complex_Case_'],
    ['{{ camelcase "some-words here" }}', 'SomeWordsHere'],
    ['{{ camelcase "GOLANG_IS_GREAT" }}', 'GolangIsGreat'],
    ['{{ camelcase "helloWorld" }}', 'HelloWorld'],
    ['{{ camelcase "a___b" }}', 'A__B'],
  ]);

  failsEach([
    ['{{ upper 1 }}', 'upper: argument 1 must be a string, but is a number'],
    ['{{ upper }}', 'wrong number of args for upper: want 1 got 0'],
    ['{{ upper "a" "b" }}', 'wrong number of args for upper: want 1 got 2'],
  ]);
});
