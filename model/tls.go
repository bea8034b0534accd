package model

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
)

// IsTLS reports whether the two sides could not agree on a secure connection.
func IsTLS(err error) bool {
	var record tls.RecordHeaderError
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var alert tls.AlertError
	return errors.As(err, &record) || errors.As(err, &cert) || errors.As(err, &unknown) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch)
}
