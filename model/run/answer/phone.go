package answer

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// countryPicker is the property of TEL that makes the answer an object with a country.
const countryPicker = "country_picker"

// The members of a telephone number with a country.
const (
	nationalNumber      = "national_number"
	nationalFormat      = "national_format"
	internationalNumber = "international_number"
	internationalFormat = "international_format"
	countryISO          = "country_code_iso"
	countryNumber       = "country_code_number"
	anyNumber           = "number"
)

// maxPhoneDigits is the longest number of ITU-T E.164, with the country's digits.
const maxPhoneDigits = 15

// parsePhone reads a telephone number. With a country picker the answer is an object; see phoneTree.
func parsePhone(config *schema.Object, given any) (any, Key) {
	if flag(config, countryPicker) {
		return parsePhoneWithCountry(given)
	}
	if o, ok := given.(*schema.Object); ok {
		given = ""
		for _, name := range []string{internationalNumber, anyNumber, nationalNumber} {
			if s := o.Text(name); s != "" {
				given = s
				break
			}
		}
		if given == "" {
			return nil, PhoneExpected
		}
	}
	return texts(func(s string) bool { _, ok := dialed(s); return ok }, PhoneExpected)(config, given)
}

// dialed returns the digits of a number as people write it, with a plus sign in front if it is international.
func dialed(s string) (string, bool) {
	if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune("0123456789+()-./#*,;x \u00a0", r) }) {
		return "", false
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; '0' <= c && c <= '9' {
			b = append(b, c)
		}
	}
	if len(b) == 0 {
		return "", false
	}
	if rest, ok := strings.CutPrefix(string(b), "00"); ok && strings.HasPrefix(s, "00") {
		return "+" + rest, rest != ""
	}
	if strings.HasPrefix(s, "+") {
		return "+" + string(b), true
	}
	return string(b), true
}

// Phone returns a telephone number of which a country is known, as the answer of a field with a country picker. given is an answer of any field,
// or a text such as +61 2 1234.
func Phone(given any) (*schema.Object, bool) {
	v, _ := parsePhoneWithCountry(given)
	o, _ := v.(*schema.Object)
	return o, o.Text(countryISO) != ""
}

func parsePhoneWithCountry(given any) (any, Key) {
	o, isObject := given.(*schema.Object)
	if !isObject {
		s, ok := scalar(given)
		if ok && s == "" {
			return nil, ""
		}
		if !ok {
			return nil, PhoneExpected
		}
		o = schema.NewObject(schema.Member{Key: anyNumber, Value: s})
	}
	if o.Len() == 0 {
		return nil, ""
	}
	iso, code := strings.ToUpper(o.Text(countryISO)), strings.TrimPrefix(o.Text(countryNumber), "+")
	if known := callingCode(iso); known != "" && code == "" {
		code = known
	}
	national := ""
	for _, name := range []string{internationalNumber, anyNumber, nationalNumber} {
		s := strings.TrimSpace(o.Text(name))
		if s == "" {
			continue
		}
		number, ok := dialed(s)
		if !ok {
			return nil, PhoneExpected
		}
		rest, international := strings.CutPrefix(number, "+")
		if !international {
			national = rest
			break
		}
		if code == "" || !strings.HasPrefix(rest, code) {
			iso, code = "", countryOf(rest)
		}
		if national = rest[len(code):]; code == "" {
			return nil, PhoneExpected
		}
		break
	}
	if national == "" || len(code)+len(national) > maxPhoneDigits || !digits(code) {
		return nil, PhoneExpected
	}
	if code != "" && callingCode(iso) != code {
		if iso = mainCountry(code); iso == "" {
			return nil, PhoneExpected
		}
	}
	return phoneTree(o, iso, code, national), ""
}

// phoneTree returns the object of a telephone number. The formats are those of o if it has them. Without a country, the international
// members are absent.
func phoneTree(o *schema.Object, iso, code, national string) *schema.Object {
	format := func(name, fallback string) string {
		if _, ok := dialed(o.Text(name)); ok {
			return o.Text(name)
		}
		return fallback
	}
	members := []schema.Member{
		{Key: nationalNumber, Value: national},
		{Key: nationalFormat, Value: format(nationalFormat, national)},
	}
	number := national
	if code != "" {
		number = "+" + code + national
		members = append(members,
			schema.Member{Key: internationalNumber, Value: number},
			schema.Member{Key: internationalFormat, Value: format(internationalFormat, "+"+code+" "+national)},
			schema.Member{Key: countryISO, Value: iso},
			schema.Member{Key: countryNumber, Value: code},
		)
	}
	return schema.NewObject(append(members, schema.Member{Key: anyNumber, Value: number})...)
}

// countryOf returns the calling code with which the digits of an international number begin, "" if there is none. No code is the beginning
// of another.
func countryOf(number string) string {
	for n := 1; n <= 3 && n < len(number); n++ {
		if mainCountry(number[:n]) != "" {
			return number[:n]
		}
	}
	return ""
}

// callingCode returns the calling code of a country, "" if it is unknown.
func callingCode(iso string) string {
	for c := range Countries() {
		if c.ISO == iso {
			return c.Code
		}
	}
	return ""
}

// mainCountry returns the first country with a calling code, "" if there is none.
func mainCountry(code string) string {
	for c := range Countries() {
		if c.Code == code {
			return c.ISO
		}
	}
	return ""
}

// callingCodes lists the calling codes of ITU-T E.164 by the country's ISO 3166-1 code. The largest country of a shared code comes first.
const callingCodes = `
	US1 CA1 AG1 AI1 AS1 BB1 BM1 BS1 DM1 DO1 GD1 GU1 JM1 KN1 KY1 LC1 MP1 MS1 PR1 SX1 TC1 TT1 VC1 VG1 VI1 RU7 KZ7
	EG20 ZA27 GR30 NL31 BE32 FR33 ES34 HU36 IT39 VA39 RO40 CH41 AT43 GB44 GG44 IM44 JE44 DK45 SE46 NO47 SJ47 PL48 DE49
	PE51 MX52 CU53 AR54 BR55 CL56 CO57 VE58 MY60 AU61 CC61 CX61 ID62 PH63 NZ64 SG65 TH66 JP81 KR82 VN84 CN86 TR90 IN91 PK92 AF93 LK94
	MM95 IR98
	SS211 MA212 EH212 DZ213 TN216 LY218 GM220 SN221 MR222 ML223 GN224 CI225 BF226 NE227 TG228 BJ229 MU230 LR231 SL232 GH233 NG234 TD235
	CF236 CM237 CV238 ST239 GQ240 GA241 CG242 CD243 AO244 GW245 IO246 SC248 SD249 RW250 ET251 SO252 DJ253 KE254 TZ255 UG256 BI257 MZ258
	ZM260 MG261 RE262 YT262 ZW263 NA264 MW265 LS266 BW267 SZ268 KM269 SH290 TA290 ER291 AW297 FO298 GL299
	GI350 PT351 LU352 IE353 IS354 AL355 MT356 CY357 FI358 AX358 BG359 LT370 LV371 EE372 MD373 AM374 BY375 AD376 MC377 SM378 UA380 RS381
	ME382 XK383 HR385 SI386 BA387 MK389 CZ420 SK421 LI423
	FK500 BZ501 GT502 SV503 HN504 NI505 CR506 PA507 PM508 HT509 GP590 BL590 MF590 BO591 GY592 EC593 GF594 PY595 MQ596 SR597 UY598 CW599 BQ599
	TL670 NF672 BN673 NR674 PG675 TO676 SB677 VU678 FJ679 PW680 WF681 CK682 NU683 WS685 KI686 NC687 TV688 PF689 TK690 FM691 MH692
	KP850 HK852 MO853 KH855 LA856 BD880 TW886 MV960 LB961 JO962 SY963 IQ964 KW965 SA966 YE967 OM968 PS970 AE971 IL972 BH973 QA974 BT975
	MN976 NP977 TJ992 TM993 AZ994 GE995 KG996 UZ998`
