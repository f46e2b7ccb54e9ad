package account

// SharesWith tells whether what handlers keep in memory is one for both.
func (h *Handler) SharesWith(o *Handler) bool {
	return h.limit == o.limit && h.wrong == o.wrong && h.hashing == o.hashing
}

// ReadDevice is readDevice.
var ReadDevice = readDevice
