package detect

import "strings"

// The checks below take a number without spaces and punctuation, in upper case.

// checkNIR: 97 minus the number modulo 97; Corsica's 2A and 2B count as 19 and
// 18 (INSEE).
func checkNIR(number string) bool {
	if len(number) != 15 {
		return false
	}
	body := strings.Replace(strings.Replace(number[:13], "2A", "19", 1), "2B", "18", 1)
	n, ok := integer(body)
	key, keyOK := integer(number[13:])
	return ok && keyOK && 97-n%97 == key
}

// ibanLengths are the lengths of bank account numbers by country (ISO 13616).
const ibanLengths = "FR27 MC27 BE16 CH21 ES24 IT27 PT25 DE22 GB22 LU20 NL18 AT20 IE22 AD24 SM27 TN24 MA28 BR29 PL28 SE24 DK18 NO15 FI18 GR27 RO24 CZ24 HU28 TR26"

// ibanLength gives the bytes of text that make a valid IBAN, 0 if none does.
func ibanLength(text string) int {
	country := strings.ToUpper(text[:2])
	at := strings.Index(ibanLengths, country)
	if at < 0 {
		return 0
	}
	want, _ := integer(ibanLengths[at+2 : at+4])
	length, count := 0, 0
	for length < len(text) && count < int(want) {
		if text[length] != ' ' && text[length] != '-' {
			count++
		}
		length++
	}
	number := compact(text[:length])
	if len(number) != int(want) {
		return 0
	}
	remainder := 0
	for _, c := range number[4:] + number[:4] {
		if c >= 'A' {
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		} else {
			remainder = (remainder*10 + int(c-'0')) % 97
		}
	}
	if remainder != 1 {
		return 0
	}
	return length
}

// checkLuhn is the sum of ISO/IEC 7812, over 13 to 19 digits that are not all
// the same.
func checkLuhn(number string) bool {
	if len(number) < 13 || len(number) > 19 || strings.Count(number, number[:1]) == len(number) {
		return false
	}
	sum := 0
	for i := range len(number) {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return sum%10 == 0
}

// checkEAN is the EAN-13 check digit, which Swiss numbers use.
func checkEAN(number string) bool {
	if len(number) != 13 {
		return false
	}
	sum := 0
	for i := range 13 {
		digit := int(number[i] - '0')
		if i%2 == 1 {
			digit *= 3
		}
		sum += digit
	}
	return sum%10 == 0
}

// checkBelgian: 97 minus the first nine digits modulo 97, with a 2 before them
// for those born from 2000 on.
func checkBelgian(number string) bool {
	if len(number) != 11 {
		return false
	}
	body, _ := integer(number[:9])
	key, _ := integer(number[9:])
	return 97-body%97 == key || 97-(2_000_000_000+body)%97 == key
}

// checkCPF: two digits of weighted sums modulo 11 (Receita Federal).
func checkCPF(number string) bool {
	if len(number) != 11 || strings.Count(number, number[:1]) == 11 {
		return false
	}
	for length := 9; length < 11; length++ {
		sum := 0
		for i := range length {
			sum += int(number[i]-'0') * (length + 1 - i)
		}
		if digit := sum * 10 % 11 % 10; digit != int(number[length]-'0') {
			return false
		}
	}
	return true
}

// checkDNI: the letter is the number modulo 23; X, Y, Z count as 0, 1, 2.
func checkDNI(number string) bool {
	const letters = "TRWAGMYFPDXBNJZSQVHLCKE"
	if len(number) != 9 {
		return false
	}
	if at := strings.IndexByte("XYZ", number[0]); at >= 0 {
		number = string(rune('0'+at)) + number[1:]
	}
	n, ok := integer(number[:8])
	return ok && letters[n%23] == number[8]
}

// checkSSN refuses the areas that are never given.
func checkSSN(number string) bool {
	return number[:3] != "000" && number[:3] != "666" && number[0] != '9' && number[3:5] != "00" && number[5:] != "0000"
}

// checkCodiceFiscale is the check letter of the decree of 23 December 1976.
func checkCodiceFiscale(number string) bool {
	if len(number) != 16 {
		return false
	}
	odd := [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i := range 15 {
		value := int(number[i] - '0')
		if number[i] >= 'A' {
			value = int(number[i] - 'A')
		}
		if i%2 == 0 { // odd positions, counted from one
			value = odd[value]
		}
		sum += value
	}
	return byte('A'+sum%26) == number[15]
}

// integer reads decimal digits.
func integer(digits string) (n int64, ok bool) {
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = n*10 + int64(digits[i]-'0')
	}
	return n, digits != ""
}
