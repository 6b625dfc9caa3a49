/**
 * The most common passwords of at least 12 characters in published leaks, in lower case. Shorter ones are refused anyway.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  000000000000 111111111111 112233445566 121212121212 123123123123 1234567890ab 123456789000 1234567890123
  123456789012 12345678901234 123456789012345 1234567890123456 12345678910 1234567891011 123456789123 123456789abc
  123456789qwe 1234qwerasdf 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 222222222222
  333333333333 444444444444 555555555555 666666666666 777777777777 888888888888 987654321000 987654321012 999999999999
  a1b2c3d4e5f6 aaaaaaaaaaaa abc123abc123 abcd12345678 abcdefghijkl abcdefghijklm administrator administrator1
  asdfasdfasdf asdfghjkl123 asdfghjklqwertyuiop changeme1234 changemenow1 chocolate123 correcthorsebatterystaple
  football1234 iloveyou1234 iloveyouforever iloveyousomuch letmein12345 liverpool123 manchesterunited mypassword12
  mypassword123 nothing12345 p@ssw0rd1234 p@ssword1234 passw0rd1234 password0000 password1234 password12345
  password123456 password1234567 password12345678 password123456789 password2024 password2025 password2026 passwordpassword
  princess1234 q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qqqqqqqqqqqq qwerasdfzxcv
  qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop1234
  qwertyuiop12345 qwertyuiopasdf qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm spongebob123 sunshine1234 superman1234
  thequickbrownfox trustno1trustno1 unbelievable welcome12345 welcome123456 zaq12wsxcde3 zxcvbnm12345 zxcvbnmasdfghjkl
  `
    .split(/\s+/)
    .filter((password) => password.length >= 12),
)
