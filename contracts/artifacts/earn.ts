// Earn, as contracts/scripts/compile.ts wrote it. Change the source and compile it again instead.

export const earnAbi = [
  {
    "inputs": [
      {
        "internalType": "contract IERC20",
        "name": "asset_",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "admin",
        "type": "address"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "inputs": [],
    "name": "AccessControlBadConfirmation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "neededRole",
        "type": "bytes32"
      }
    ],
    "name": "AccessControlUnauthorizedAccount",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "AmountTooHigh",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "minAmount",
        "type": "uint256"
      }
    ],
    "name": "AmountTooLow",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "ERC721IncorrectOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "ERC721InsufficientApproval",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "approver",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidApprover",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidOperator",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidOwner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "receiver",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidReceiver",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "ERC721InvalidSender",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "ERC721NonexistentToken",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "EnforcedPause",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ExpectedPause",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "minAmount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "maxAmountPerUser",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "totalQuota",
        "type": "uint256"
      }
    ],
    "name": "InvalidAmounts",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "durationSeconds",
        "type": "uint256"
      }
    ],
    "name": "InvalidDuration",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recipient",
        "type": "address"
      }
    ],
    "name": "InvalidRecipient",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "InvalidShortString",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "recovered",
        "type": "address"
      }
    ],
    "name": "InvalidVoucherSigner",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "subscribeStart",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "subscribeEnd",
        "type": "uint256"
      }
    ],
    "name": "InvalidWindow",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "NoPosition",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "settleTime",
        "type": "uint256"
      }
    ],
    "name": "NotMatured",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "NothingSubscribed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "NothingToWithdraw",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "remaining",
        "type": "uint256"
      }
    ],
    "name": "QuotaExceeded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "annualRateBps",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "most",
        "type": "uint256"
      }
    ],
    "name": "RateTooHigh",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReceiptNotTransferable",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ReentrancyGuardReentrantCall",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "token",
        "type": "address"
      }
    ],
    "name": "SafeERC20FailedOperation",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "str",
        "type": "string"
      }
    ],
    "name": "StringTooLong",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "SubscriptionClosed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "subscribeStart",
        "type": "uint256"
      }
    ],
    "name": "SubscriptionStarted",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "funded",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "interestOwed",
        "type": "uint256"
      }
    ],
    "name": "Underfunded",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "expected",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "received",
        "type": "uint256"
      }
    ],
    "name": "UnexpectedAmountReceived",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "UnknownProduct",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      }
    ],
    "name": "VoucherExpired",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "name": "VoucherUsed",
    "type": "error"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "enum EarnTypes.Status",
        "name": "actual",
        "type": "uint8"
      },
      {
        "internalType": "enum EarnTypes.Status",
        "name": "required",
        "type": "uint8"
      }
    ],
    "name": "WrongStatus",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAddress",
    "type": "error"
  },
  {
    "inputs": [],
    "name": "ZeroAmount",
    "type": "error"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "approved",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "Approval",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "ApprovalForAll",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "interest",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "Claimed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "EIP712DomainChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "EmergencyClaimed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldFunded",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newFunded",
        "type": "uint256"
      }
    ],
    "name": "ExcessWithdrawn",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "Paused",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "funded",
        "type": "uint256"
      }
    ],
    "name": "ProductCancelled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "annualRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "durationSeconds",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "totalQuota",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "maxAmountPerUser",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "subscribeStart",
            "type": "uint40"
          },
          {
            "internalType": "uint40",
            "name": "subscribeEnd",
            "type": "uint40"
          }
        ],
        "indexed": false,
        "internalType": "struct EarnTypes.Terms",
        "name": "terms",
        "type": "tuple"
      }
    ],
    "name": "ProductCreated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "funder",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "oldFunded",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "newFunded",
        "type": "uint256"
      }
    ],
    "name": "ProductFunded",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "principal",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "interest",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "funded",
        "type": "uint256"
      }
    ],
    "name": "ProductSettled",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "annualRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "durationSeconds",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "totalQuota",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "maxAmountPerUser",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "subscribeStart",
            "type": "uint40"
          },
          {
            "internalType": "uint40",
            "name": "subscribeEnd",
            "type": "uint40"
          }
        ],
        "indexed": false,
        "internalType": "struct EarnTypes.Terms",
        "name": "oldTerms",
        "type": "tuple"
      },
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "annualRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "durationSeconds",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "totalQuota",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "maxAmountPerUser",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "subscribeStart",
            "type": "uint40"
          },
          {
            "internalType": "uint40",
            "name": "subscribeEnd",
            "type": "uint40"
          }
        ],
        "indexed": false,
        "internalType": "struct EarnTypes.Terms",
        "name": "newTerms",
        "type": "tuple"
      }
    ],
    "name": "ProductUpdated",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "previousAdminRole",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "newAdminRole",
        "type": "bytes32"
      }
    ],
    "name": "RoleAdminChanged",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleGranted",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "account",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "sender",
        "type": "address"
      }
    ],
    "name": "RoleRevoked",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "name": "Subscribed",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "Unpaused",
    "type": "event"
  },
  {
    "inputs": [],
    "name": "DEFAULT_ADMIN_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "DOMAIN_SEPARATOR",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAX_ANNUAL_RATE_BPS",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAX_DURATION_SECONDS",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "MAX_TOTAL_QUOTA",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "OPERATOR_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "PAUSER_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "SIGNER_ROLE",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "SUBSCRIBE_TYPEHASH",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "asset",
    "outputs": [
      {
        "internalType": "contract IERC20",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "cancel",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "claim",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "annualRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "durationSeconds",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "totalQuota",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "maxAmountPerUser",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "subscribeStart",
            "type": "uint40"
          },
          {
            "internalType": "uint40",
            "name": "subscribeEnd",
            "type": "uint40"
          }
        ],
        "internalType": "struct EarnTypes.Terms",
        "name": "terms",
        "type": "tuple"
      }
    ],
    "name": "createProduct",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "eip712Domain",
    "outputs": [
      {
        "internalType": "bytes1",
        "name": "fields",
        "type": "bytes1"
      },
      {
        "internalType": "string",
        "name": "name",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "version",
        "type": "string"
      },
      {
        "internalType": "uint256",
        "name": "chainId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "verifyingContract",
        "type": "address"
      },
      {
        "internalType": "bytes32",
        "name": "salt",
        "type": "bytes32"
      },
      {
        "internalType": "uint256[]",
        "name": "extensions",
        "type": "uint256[]"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "emergencyClaim",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "fund",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "getApproved",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      }
    ],
    "name": "getRoleAdmin",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "grantRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "hasRole",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "interestOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      }
    ],
    "name": "isApprovedForAll",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "digest",
        "type": "bytes32"
      }
    ],
    "name": "isDigestUsed",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "ownerOf",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "paused",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "position",
    "outputs": [
      {
        "components": [
          {
            "internalType": "uint128",
            "name": "principal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "tokenId",
            "type": "uint128"
          }
        ],
        "internalType": "struct EarnTypes.Position",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "product",
    "outputs": [
      {
        "components": [
          {
            "components": [
              {
                "internalType": "uint32",
                "name": "annualRateBps",
                "type": "uint32"
              },
              {
                "internalType": "uint32",
                "name": "durationSeconds",
                "type": "uint32"
              },
              {
                "internalType": "uint128",
                "name": "totalQuota",
                "type": "uint128"
              },
              {
                "internalType": "uint128",
                "name": "minAmount",
                "type": "uint128"
              },
              {
                "internalType": "uint128",
                "name": "maxAmountPerUser",
                "type": "uint128"
              },
              {
                "internalType": "uint40",
                "name": "subscribeStart",
                "type": "uint40"
              },
              {
                "internalType": "uint40",
                "name": "subscribeEnd",
                "type": "uint40"
              }
            ],
            "internalType": "struct EarnTypes.Terms",
            "name": "terms",
            "type": "tuple"
          },
          {
            "internalType": "enum EarnTypes.Status",
            "name": "status",
            "type": "uint8"
          },
          {
            "internalType": "uint32",
            "name": "subscriberCount",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "subscribed",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "principal",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "interestOwed",
            "type": "uint128"
          },
          {
            "internalType": "uint256",
            "name": "funded",
            "type": "uint256"
          }
        ],
        "internalType": "struct EarnTypes.Product",
        "name": "",
        "type": "tuple"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "productCount",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "productOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "callerConfirmation",
        "type": "address"
      }
    ],
    "name": "renounceRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes32",
        "name": "role",
        "type": "bytes32"
      },
      {
        "internalType": "address",
        "name": "account",
        "type": "address"
      }
    ],
    "name": "revokeRole",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "safeTransferFrom",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "data",
        "type": "bytes"
      }
    ],
    "name": "safeTransferFrom",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "operator",
        "type": "address"
      },
      {
        "internalType": "bool",
        "name": "approved",
        "type": "bool"
      }
    ],
    "name": "setApprovalForAll",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      }
    ],
    "name": "settle",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      },
      {
        "internalType": "bytes",
        "name": "signature",
        "type": "bytes"
      }
    ],
    "name": "subscribe",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "deadline",
        "type": "uint256"
      }
    ],
    "name": "subscribeDigest",
    "outputs": [
      {
        "internalType": "bytes32",
        "name": "",
        "type": "bytes32"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "bytes4",
        "name": "interfaceId",
        "type": "bytes4"
      }
    ],
    "name": "supportsInterface",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "tokenURI",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalFunded",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalPrincipal",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "tokenId",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "unpause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "components": [
          {
            "internalType": "uint32",
            "name": "annualRateBps",
            "type": "uint32"
          },
          {
            "internalType": "uint32",
            "name": "durationSeconds",
            "type": "uint32"
          },
          {
            "internalType": "uint128",
            "name": "totalQuota",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "minAmount",
            "type": "uint128"
          },
          {
            "internalType": "uint128",
            "name": "maxAmountPerUser",
            "type": "uint128"
          },
          {
            "internalType": "uint40",
            "name": "subscribeStart",
            "type": "uint40"
          },
          {
            "internalType": "uint40",
            "name": "subscribeEnd",
            "type": "uint40"
          }
        ],
        "internalType": "struct EarnTypes.Terms",
        "name": "newTerms",
        "type": "tuple"
      }
    ],
    "name": "updateProduct",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "productId",
        "type": "uint256"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      }
    ],
    "name": "withdrawExcess",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const;

export const earnBytecode =
  "0x610180604052348015610010575f5ffd5b506040516145a83803806145a883398101604081905261002f916102f9565b81816040518060400160405280600b81526020016a2137bab939b29022b0b93760a91b815250604051806040016040528060018152602001603160f81b8152506040518060400160405280601381526020017f426f75727365204561726e205265636569707400000000000000000000000000815250604051806040016040528060058152602001642122a0a92760d91b815250815f90816100d191906103d4565b5060016100de82826103d4565b5050506100f0826101ef60201b60201c565b610120526100fd816101ef565b61014052815160208084019190912060e052815190820120610100524660a05261018960e05161010051604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201529081019290925260608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b60805250503060c0526001600160a01b03821615806101af57506001600160a01b038116155b156101cd5760405163d92e233d60e01b815260040160405180910390fd5b6001600160a01b038216610160526101e55f82610235565b50505050506104ea565b5f5f829050601f81511115610222578260405163305a27a960e01b81526004016102199190610492565b60405180910390fd5b805161022d826104c7565b179392505050565b5f828152600a602090815260408083206001600160a01b038516845290915281205460ff166102d9575f838152600a602090815260408083206001600160a01b03861684529091529020805460ff191660011790556102913390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a45060016102dc565b505f5b92915050565b6001600160a01b03811681146102f6575f5ffd5b50565b5f5f6040838503121561030a575f5ffd5b8251610315816102e2565b6020840151909250610326816102e2565b809150509250929050565b634e487b7160e01b5f52604160045260245ffd5b600181811c9082168061035957607f821691505b60208210810361037757634e487b7160e01b5f52602260045260245ffd5b50919050565b601f8211156103cf57828211156103cf57805f5260205f20601f840160051c60208510156103a857505f5b90810190601f840160051c035f5b818110156103cb575f838201556001016103b6565b5050505b505050565b81516001600160401b038111156103ed576103ed610331565b610401816103fb8454610345565b8461037d565b6020601f821160018114610433575f831561041c5750848201515b5f19600385901b1c1916600184901b17845561048b565b5f84815260208120601f198516915b828110156104625787850151825560209485019460019092019101610442565b508482101561047f57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b602081525f82518060208401528060208501604085015e5f604082850101526040601f19601f83011684010191505092915050565b80516020808301519190811015610377575f1960209190910360031b1b16919050565b60805160a05160c05160e051610100516101205161014051610160516140476105615f395f818161042b0152818161196201528181612138015281816121b8015261220101525f6120c401525f61209901525f611f4801525f611f2001525f611e7b01525f611ea501525f611ecf01526140475ff3fe608060405234801561000f575f5ffd5b50600436106102cb575f3560e01c8063780bd3f11161017b578063b88d4fde116100e4578063e059c6d01161009e578063e63ab1e911610079578063e63ab1e914610679578063e985e9c5146106a0578063f11733de146106b3578063f5b541a614610747575f5ffd5b8063e059c6d014610635578063e0f6ef871461065c578063e472d8dc14610665575f5ffd5b8063b88d4fde146105b4578063b8a4ad2b146105c7578063c0753076146105da578063c87b56dd146105fc578063d547741f1461060f578063d65bae7b14610622575f5ffd5b8063a1ebf35d11610135578063a1ebf35d1461054c578063a217fddf14610573578063a22cb4651461057a578063a65e2cfd1461058d578063ad044f49146105a0578063b11d2758146105a9575f5ffd5b8063780bd3f1146104db5780638456cb59146104fb57806384b0196e146105035780638df828001461051e57806391d148541461053157806395d89b4114610544575f5ffd5b80633644e5151161023757806342842e0e116101f15780635c975abb116101cc5780635c975abb146104975780636352211e146104a25780636b9d87f7146104b557806370a08231146104c8575f5ffd5b806342842e0e146104685780634b1533b21461047b5780634f4f657614610484575f5ffd5b80633644e515146103f857806336568abe14610400578063379607f51461041357806338d52e0f146104265780633f4ba83a1461044d57806340e58ee514610455575f5ffd5b806318e783301161028857806318e78330146103775780631d45c3bc1461038a57806323b872dd1461039d578063248a9ca3146103b05780632f2ff15d146103d257806332b5a591146103e5575f5ffd5b806301504adf146102cf57806301ffc9a7146102e457806306fdde031461030c578063081812fc14610321578063095ea7b31461034c578063128786fd1461035f575b5f5ffd5b6102e26102dd36600461344c565b61075b565b005b6102f76102f2366004613478565b6107f9565b60405190151581526020015b60405180910390f35b610314610809565b60405161030391906134c1565b61033461032f36600461344c565b610898565b6040516001600160a01b039091168152602001610303565b6102e261035a3660046134e9565b6108bf565b610369620186a081565b604051908152602001610303565b610369610385366004613511565b6108ce565b6102e261039836600461355d565b61094d565b6102e26103ab366004613589565b610a82565b6103696103be36600461344c565b5f908152600a602052604090206001015490565b6102e26103e03660046135c3565b610b0b565b6102e26103f33660046135c3565b610b2f565b610369610ca5565b6102e261040e3660046135c3565b610cb3565b6102e261042136600461344c565b610ceb565b6103347f000000000000000000000000000000000000000000000000000000000000000081565b6102e2610dc3565b6102e261046336600461344c565b610df5565b6102e2610476366004613589565b610e8e565b610369600c5481565b61036961049236600461344c565b610ea8565b600b5460ff166102f7565b6103346104b036600461344c565b610ec5565b6103696104c33660046135e4565b610ecf565b6103696104d63660046135fe565b610f71565b6104ee6104e936600461344c565b610fb6565b60405161030391906136cf565b6102e2611143565b61050b611175565b604051610303979695949392919061375b565b6102e261052c36600461344c565b6111b7565b6102f761053f3660046135c3565b61132e565b610314611358565b6103697fe2f4eaae4a9751e85a3e4a7b9587827a877f29914755229b07a7b2da98285f7081565b6103695f81565b6102e26105883660046137f1565b611367565b6102e261059b36600461382a565b611372565b610369600d5481565b6103696312cc030081565b6102e26105c236600461385e565b611421565b6103696105d53660046134e9565b611439565b6102f76105e836600461344c565b5f9081526011602052604090205460ff1690565b61031461060a36600461344c565b6114f5565b6102e261061d3660046135c3565b6115ab565b6102e261063036600461393b565b6115cf565b6103697ffacac95f5894c1910f11d6bbb8f55cd0c0ab5cf2e2afdae7a11a758adcf6351d81565b610369600e5481565b6103696c0c9f2c9cd04674edea4000000081565b6103697f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a81565b6102f76106ae3660046139c2565b6116aa565b6107206106c13660046134e9565b604080518082019091525f8082526020820152505f8181526010602090815260408083206001600160a01b03861684528252918290208251808401909352546001600160801b038082168452600160801b909104169082015292915050565b6040805182516001600160801b039081168252602093840151169281019290925201610303565b6103695f51602061401b5f395f51905f5281565b6107636116d7565b5f61076f82600361170e565b90505f5f61077d8385611772565b6001600160801b03169250506001600160801b0316915083336001600160a01b03167fd3ddd291d9689e4f5c42f932664f18d9c32c1d2b8e0e1dd33a3b58c8b13699d184846040516107d9929190918252602082015260400190565b60405180910390a36107eb3383611955565b5050506107f6611989565b50565b5f610803826119b3565b92915050565b60605f8054610817906139ea565b80601f0160208091040260200160405190810160405280929190818152602001828054610843906139ea565b801561088e5780601f106108655761010080835404028352916020019161088e565b820191905f5260205f20905b81548152906001019060200180831161087157829003601f168201915b5050505050905090565b5f6108a2826119d7565b505f828152600460205260409020546001600160a01b0316610803565b6108ca828233611a0f565b5050565b604080517ffacac95f5894c1910f11d6bbb8f55cd0c0ab5cf2e2afdae7a11a758adcf6351d60208201526001600160a01b03861691810191909152606081018490526080810183905260a081018290525f906109429060c00160405160208183030381529060405280519060200120611a1c565b90505b949350505050565b5f51602061401b5f395f51905f5261096481611a48565b5f61097084600161170e565b6040805160e081018252825463ffffffff8082168352600160201b82041660208301526001600160801b03600160401b90910481169282019290925260018301548083166060830152600160801b90049091166080820152600282015464ffffffffff80821660a08401819052600160281b9092041660c0830152919250904210610a295760a0810151604051630b6b392b60e21b81526004810187905264ffffffffff90911660248201526044015b60405180910390fd5b610a3284611a52565b8382610a3e8282613a6b565b905050847f23667e33724c6757840712124ca07cb5068fa438df268ca91d0a8c4482cbe3b28286604051610a73929190613c87565b60405180910390a25050505050565b6001600160a01b038216610aab57604051633250574960e11b81525f6004820152602401610a20565b5f610ab7838333611ce9565b9050836001600160a01b0316816001600160a01b031614610b05576040516364283d7b60e01b81526001600160a01b0380861660048301526024820184905282166044820152606401610a20565b50505050565b5f828152600a6020526040902060010154610b2581611a48565b610b058383611d4a565b610b376116d7565b5f51602061401b5f395f51905f52610b4e81611a48565b610b5782611ddb565b5f610b6184611e22565b9050600160038083015460ff1690811115610b7e57610b7e61369b565b03610ba4578360016002604051639b0b4afd60e01b8152600401610a2093929190613ca3565b60058101545f600260038085015460ff1690811115610bc557610bc561369b565b14610bd0575f610be6565b6004830154600160801b90046001600160801b03165b6001600160801b03169050808203610c1457604051630aaf769b60e11b815260048101879052602401610a20565b5f610c1f8284613cd8565b905081846005018190555080600d5f828254610c3b9190613cd8565b909155505060408051828152602081018590529081018390526001600160a01b0387169088907f195ff6556585992d3889c2294a3fff22180a8d46c5db5ad262d00277647686b39060600160405180910390a3610c988682611955565b50505050506108ca611989565b5f610cae611e6f565b905090565b6001600160a01b0381163314610cdc5760405163334bd91960e11b815260040160405180910390fd5b610ce68282611f98565b505050565b610cf36116d7565b5f610cff82600261170e565b90505f5f5f610d0e8486611772565b6001600160801b031692506001600160801b031692506001600160801b0316925081846005015f828254610d429190613cd8565b9250508190555081600d5f828254610d5a9190613cd8565b90915550506040805184815260208101849052908101829052859033907f7708755c9b641bf197be5047b04002d2e88fa658c173a351067747eb5dfc568a9060600160405180910390a3610db733610db28486613ceb565b611955565b505050506107f6611989565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a610ded81611a48565b6107f6612003565b610dfd6116d7565b5f51602061401b5f395f51905f52610e1481611a48565b5f610e2083600161170e565b6003818101805460ff1916909117905560048101546005820154604080516001600160801b039093168352602083019190915291925084917f6c719f4c262834b780323cf9a021f2e20b1e2922ba932d8cabd163d155cb886e91015b60405180910390a250506107f6611989565b610ce683838360405180602001604052805f815250611421565b5f610eb2826119d7565b50505f9081526007602052604090205490565b5f610803826119d7565b5f5f51602061401b5f395f51905f52610ee781611a48565b610ef083611a52565b600e5f8154610efe90613cfe565b91829055505f818152600f602052604090209092508381610f1f8282613a6b565b505060038101805460ff1916600117905560405183907fe1ddec0e38883d9d264ce49de3c36ce68ac972d5c9cfdb3377074f416770819590610f62908790613d16565b60405180910390a25050919050565b5f6001600160a01b038216610f9b576040516322718ad960e21b81525f6004820152602401610a20565b506001600160a01b03165f9081526003602052604090205490565b604080516101c0810182525f60e08201818152610100830182905261012083018290526101408301829052610160830182905261018083018290526101a08301829052825260208201819052918101829052606081018290526080810182905260a0810182905260c081019190915261102e82611e22565b604080516101c08101909152815463ffffffff80821660e08401908152600160201b8304909116610100840152600160401b9091046001600160801b039081166101208401526001840154808216610140850152600160801b900416610160830152600283015464ffffffffff808216610180850152600160281b909104166101a08301528152600380830154919291602084019160ff909116908111156110d8576110d861369b565b60038111156110e9576110e961369b565b8152600382015463ffffffff61010082041660208301526001600160801b03600160281b9091048116604083015260048301548082166060840152600160801b900416608082015260059091015460a09091015292915050565b7f65d7a28e3265b37a6474929f336521b332c1681b933f6cb9f3376673440d862a61116d81611a48565b6107f6612055565b5f6060805f5f5f6060611186612092565b61118e6120bd565b604080515f80825260208201909252600f60f81b9b939a50919850469750309650945092509050565b6111bf6116d7565b5f6111cb82600161170e565b805460028201549192505f916111fc91600160201b900463ffffffff1690600160281b900464ffffffffff16613ceb565b90508042101561122957604051632edaad7360e21b81526004810184905260248101829052604401610a20565b6003820154600160281b90046001600160801b03165f0361126057604051630b0406d360e11b815260048101849052602401610a20565b60048201546005830154600160801b9091046001600160801b031611156112c5576005820154600480840154604051637cc40c3560e01b81529182018690526024820192909252600160801b9091046001600160801b03166044820152606401610a20565b60038201805460ff1916600217905560048201546005830154604080516001600160801b038085168252600160801b909404909316602084015282015283907f5c7bffbc0a9544de34d2283d928b9a3a1312177b934e1ef113833f2cf3ccdcf590606001610e7c565b5f918252600a602090815260408084206001600160a01b0393909316845291905290205460ff1690565b606060018054610817906139ea565b6108ca3383836120e8565b61137a6116d7565b61138381612101565b5f61138f83600161170e565b60058101549091506113a18382613ceb565b826005018190555082600d5f8282546113ba9190613ceb565b90915550339050847f3947da1a65e7c788ef4f0c7585b2f0ae0ceb72aa08903aa1bbbe6308a441047885846113ef8282613ceb565b6040805193845260208401929092529082015260600160405180910390a36114173384612121565b50506108ca611989565b61142c848484610a82565b610b05338585858561229f565b5f6114e561144683611e22565b6040805160e081018252825463ffffffff8082168352600160201b8204166020808401919091526001600160801b03600160401b90920482168385015260018501548083166060850152600160801b90048216608084015260029094015464ffffffffff80821660a0850152600160281b9091041660c08301525f878152601085528381206001600160a01b038a1682529094529190922054166123c6565b6001600160801b03169392505050565b60605f61150183610ea8565b90505f61150d84612417565b61151683612417565b5f8481526010602052604081206115579161153089610ec5565b6001600160a01b0316815260208101919091526040015f20546001600160801b0316612417565b60405160200161156993929190613d3b565b6040516020818303038152906040529050611583816124a7565b6040516020016115939190613e70565b60405160208183030381529060405292505050919050565b5f828152600a60205260409020600101546115c581611a48565b610b058383611f98565b6115d76116d7565b6115df6124b3565b5f6115e986611e22565b5f878152601060209081526040808320338452909152902080549192509061161d9083906001600160801b031689896124d7565b5f61162b88888888886126ab565b905061163983838a8a6127b7565b815460408051898152600160801b9092046001600160801b031660208301528101829052889033907f47d5599c16f6419771452b4ca38d4bfdc271292c57f2990ea874e025eee8381e9060600160405180910390a36116983388612121565b5050506116a3611989565b5050505050565b6001600160a01b039182165f90815260056020908152604080832093909416825291909152205460ff1690565b6116df612a5e565b61170c60017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005b90612a9e565b565b5f61171883611e22565b905081600381111561172c5761172c61369b565b60038083015460ff16908111156117455761174561369b565b14610803576003810154604051639b0b4afd60e01b8152610a2091859160ff909116908590600401613ca3565b5f81815260106020908152604080832033845282528083208151808301909252546001600160801b03808216808452600160801b9092041692820192909252829182919082036117de57604051637fd11b6d60e01b815233600482015260248101869052604401610a20565b80516020808301516040805160e0810182528a5463ffffffff8082168352600160201b82041694820194909452600160401b9093046001600160801b039081169184019190915260018a01548082166060850152600160801b9004166080830152600289015464ffffffffff80821660a0850152600160281b9091041660c083015291955090925061187090856123c6565b5f868152601060209081526040808320338452909152812081905560048801805492955086929091906118ad9084906001600160801b0316613ea1565b92506101000a8154816001600160801b0302191690836001600160801b03160217905550828660040160108282829054906101000a90046001600160801b03166118f79190613ea1565b92506101000a8154816001600160801b0302191690836001600160801b03160217905550836001600160801b0316600c5f8282546119359190613cd8565b9091555061194d90506001600160801b038316612aa5565b509250925092565b6108ca6001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168383612abc565b61170c5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f00611706565b5f6001600160e01b03198216637965db0b60e01b1480610803575061080382612af1565b5f818152600260205260408120546001600160a01b03168061080357604051637e27328960e01b815260048101849052602401610a20565b610ce68383836001612b40565b5f610803611a28611e6f565b8360405161190160f01b8152600281019290925260228201526042902090565b6107f68133612b74565b620186a0611a636020830183613ec0565b63ffffffff161115611aa757611a7c6020820182613ec0565b604051634716c00560e01b815263ffffffff9091166004820152620186a06024820152604401610a20565b611ab76040820160208301613ec0565b63ffffffff161580611ae157506312cc0300611ad96040830160208401613ec0565b63ffffffff16115b15611b1857611af66040820160208301613ec0565b6040516313b783af60e21b815263ffffffff9091166004820152602401610a20565b5f80611b2a6080840160608501613edb565b6001600160801b0316118015611b705750611b4b60a0830160808401613edb565b6001600160801b0316611b646080840160608501613edb565b6001600160801b031611155b8015611bac5750611b876060830160408401613edb565b6001600160801b0316611ba060a0840160808501613edb565b6001600160801b031611155b8015611bdd57506c0c9f2c9cd04674edea40000000611bd16060840160408501613edb565b6001600160801b031611155b905080611c4957611bf46080830160608401613edb565b611c0460a0840160808501613edb565b611c146060850160408601613edb565b6040516394a8b79560e01b81526001600160801b03938416600482015291831660248301529091166044820152606401610a20565b611c5960c0830160a08401613ef6565b64ffffffffff16611c7060e0840160c08501613ef6565b64ffffffffff16111580611c9a575042611c9060e0840160c08501613ef6565b64ffffffffff1611155b156108ca57611caf60c0830160a08401613ef6565b611cbf60e0840160c08501613ef6565b604051635fe4009160e01b815264ffffffffff928316600482015291166024820152604401610a20565b5f6001600160a01b03841615801590611d1757505f838152600260205260409020546001600160a01b031615155b15611d355760405163c0ddaa3360e01b815260040160405180910390fd5b611d40848484612bad565b90505b9392505050565b5f611d55838361132e565b611dd4575f838152600a602090815260408083206001600160a01b03861684529091529020805460ff19166001179055611d8c3390565b6001600160a01b0316826001600160a01b0316847f2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d60405160405180910390a4506001610803565b505f610803565b6001600160a01b0381161580611df957506001600160a01b03811630145b156107f657604051630bc2c5df60e11b81526001600160a01b0382166004820152602401610a20565b5f818152600f602052604081209060038083015460ff1690811115611e4957611e4961369b565b03611e6a576040516364bdcb1960e01b815260048101839052602401610a20565b919050565b5f306001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016148015611ec757507f000000000000000000000000000000000000000000000000000000000000000046145b15611ef157507f000000000000000000000000000000000000000000000000000000000000000090565b610cae604080517f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f60208201527f0000000000000000000000000000000000000000000000000000000000000000918101919091527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a08201525f9060c00160405160208183030381529060405280519060200120905090565b5f611fa3838361132e565b15611dd4575f838152600a602090815260408083206001600160a01b0386168085529252808320805460ff1916905551339286917ff6391f5c32d9c69d2a47ea670b442974b53935d1edc7fd64eb21e047a839171b9190a4506001610803565b61200b612c9f565b600b805460ff191690557f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa335b6040516001600160a01b03909116815260200160405180910390a1565b61205d6124b3565b600b805460ff191660011790557f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2586120383390565b6060610cae7f0000000000000000000000000000000000000000000000000000000000000000612cc2565b6060610cae7f0000000000000000000000000000000000000000000000000000000000000000612cc2565b60405163c0ddaa3360e01b815260040160405180910390fd5b805f036107f657604051631f2a200560e01b815260040160405180910390fd5b6040516370a0823160e01b81523060048201525f907f00000000000000000000000000000000000000000000000000000000000000006001600160a01b0316906370a0823190602401602060405180830381865afa158015612185573d5f5f3e3d5ffd5b505050506040513d601f19601f820116820180604052508101906121a99190613f11565b90506121e06001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016843085612cff565b6040516370a0823160e01b81523060048201525f9082906001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016906370a0823190602401602060405180830381865afa158015612246573d5f5f3e3d5ffd5b505050506040513d601f19601f8201168201806040525081019061226a9190613f11565b6122749190613cd8565b9050828114610b0557604051621d77cb60e51b81526004810184905260248101829052604401610a20565b6001600160a01b0383163b156116a357604051630a85bd0160e11b81526001600160a01b0384169063150b7a02906122e1908890889087908790600401613f28565b6020604051808303815f875af192505050801561231b575060408051601f3d908101601f1916820190925261231891810190613f64565b60015b612382573d808015612348576040519150601f19603f3d011682016040523d82523d5f602084013e61234d565b606091505b5080515f0361237a57604051633250574960e11b81526001600160a01b0385166004820152602401610a20565b805160208201fd5b6001600160e01b03198116630a85bd0160e11b146123be57604051633250574960e11b81526001600160a01b0385166004820152602401610a20565b505050505050565b5f5f836020015163ffffffff16845f015163ffffffff16846001600160801b03166123f19190613f7f565b6123fb9190613f7f565b905061240d6301e13380612710613f7f565b6109459082613f96565b60605f61242383612d35565b60010190505f8167ffffffffffffffff8111156124425761244261384a565b6040519080825280601f01601f19166020018201604052801561246c576020820181803683370190505b5090508181016020015b5f19016f181899199a1a9b1b9c1cb0b131b232b360811b600a86061a8153600a850494508461247657509392505050565b6060610803825f612e0c565b600b5460ff161561170c5760405163d93c066560e01b815260040160405180910390fd5b6040805160e081018252855463ffffffff8082168352600160201b82041660208301526001600160801b03600160401b90910481169282019290925260018601548083166060830152600160801b90049091166080820152600285015464ffffffffff80821660a08401819052600160281b9092041660c08301525f90421080159061256d57508160c0015164ffffffffff1642105b9050600160038088015460ff169081111561258a5761258a61369b565b141580612595575080155b156125b657604051639eb0777360e01b815260048101859052602401610a20565b81606001516001600160801b03168310156125fc576060820151604051631cc6243f60e01b8152600481018590526001600160801b039091166024820152604401610a20565b5f85836080015161260d9190613ea1565b6001600160801b031690508084111561264357604051631f08c7c560e01b81526004810185905260248101829052604401610a20565b5f8760030160059054906101000a90046001600160801b0316846040015161266b9190613ea1565b6001600160801b03169050808511156126a15760405163595d9aa560e11b81526004810186905260248101829052604401610a20565b5050505050505050565b5f834211156126d0576040516307185d5160e01b815260048101859052602401610a20565b6126dc338787876108ce565b5f8181526011602052604090205490915060ff161561271157604051631c9a6f0160e31b815260048101829052602401610a20565b5f5f61271e838686612f8b565b5090925090505f8160038111156127375761273761369b565b14158061276b57506127697fe2f4eaae4a9751e85a3e4a7b9587827a877f29914755229b07a7b2da98285f708361132e565b155b156127945760405163a78b414160e01b81526001600160a01b0383166004820152602401610a20565b50505f818152601160205260409020805460ff1916600117905595945050505050565b82546001600160801b03165f6127cd8383613fb5565b9050816001600160801b03165f03612843576127e93385612fd2565b85546001600160801b03918216600160801b02911617855560038601805460019190829061282490829063ffffffff61010090910416613fd4565b92506101000a81548163ffffffff021916908363ffffffff1602179055505b84546001600160801b0319166001600160801b03828116919091178655600387018054859260059161287e918591600160281b900416613fb5565b92506101000a8154816001600160801b0302191690836001600160801b0316021790555082866004015f8282829054906101000a90046001600160801b03166128c79190613fb5565b82546101009290920a6001600160801b038181021990931691831602179091556040805160e081018252895463ffffffff8082168352600160201b8204166020830152600160401b900483169181019190915260018901548083166060830152600160801b90049091166080820152600288015464ffffffffff80821660a0840152600160281b9091041660c08201526129629150836123c6565b6040805160e081018252885463ffffffff8082168352600160201b82041660208301526001600160801b03600160401b90910481169282019290925260018901548083166060830152600160801b90049091166080820152600288015464ffffffffff80821660a0840152600160281b9091041660c08201526129e590836123c6565b6129ef9190613ea1565b600487018054601090612a13908490600160801b90046001600160801b0316613fb5565b92506101000a8154816001600160801b0302191690836001600160801b03160217905550826001600160801b0316600c5f828254612a519190613ceb565b9091555050505050505050565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c1561170c57604051633ee5aeb560e01b815260040160405180910390fd5b80825d5050565b5f818152600760205260408120556107f68161302c565b612ac98383836001613064565b610ce657604051635274afe760e01b81526001600160a01b0384166004820152602401610a20565b5f6001600160e01b031982166380ac58cd60e01b1480612b2157506001600160e01b03198216635b5e139f60e01b145b8061080357506301ffc9a760e01b6001600160e01b0319831614610803565b6001600160a01b03841615612b685760405163c0ddaa3360e01b815260040160405180910390fd5b610b05848484846130c6565b612b7e828261132e565b6108ca5760405163e2517d3f60e01b81526001600160a01b038216600482015260248101839052604401610a20565b5f828152600260205260408120546001600160a01b0390811690831615612bd957612bd98184866131ca565b6001600160a01b03811615612c1357612bf45f855f5f612b40565b6001600160a01b0381165f90815260036020526040902080545f190190555b6001600160a01b03851615612c41576001600160a01b0385165f908152600360205260409020805460010190555b5f8481526002602052604080822080546001600160a01b0319166001600160a01b0389811691821790925591518793918516917fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef91a4949350505050565b600b5460ff1661170c57604051638dfc202b60e01b815260040160405180910390fd5b60605f612cce8361322e565b6040805160208082528183019092529192505f91906020820181803683375050509182525060208101929092525090565b612d0d848484846001613255565b610b0557604051635274afe760e01b81526001600160a01b0385166004820152602401610a20565b5f8072184f03e93ff9f4daa797ed6e38ed64bf6a1f0160401b8310612d735772184f03e93ff9f4daa797ed6e38ed64bf6a1f0160401b830492506040015b6d04ee2d6d415b85acef81000000008310612d9f576d04ee2d6d415b85acef8100000000830492506020015b662386f26fc100008310612dbd57662386f26fc10000830492506010015b6305f5e1008310612dd5576305f5e100830492506008015b6127108310612de957612710830492506004015b60648310612dfb576064830492506002015b600a83106108035760010192915050565b606082515f03612e2a575060408051602081019091525f8152610803565b5f82612e5a57600384516002612e409190613ceb565b612e4a9190613f96565b612e55906004613f7f565b612e7f565b600384516004612e6a9190613f7f565b612e75906002613ceb565b612e7f9190613f96565b905060405191507f4142434445464748494a4b4c4d4e4f505152535455565758595a616263646566601f5261067083027f6768696a6b6c6d6e6f707172737475767778797a303132333435363738392b2f18603f526020820181810185865187016020810180515f82525b82841015612f3d576003840193508351603f8160121c16518753600187019650603f81600c1c16518753600187019650603f8160061c16518753600187019650603f811651875350600186019550612eea565b905250859050612f7e57600386510660018114612f615760028114612f7457612f7c565b603d6001840353603d6002840353612f7c565b603d60018403535b505b9183525060405292915050565b5f80806041849003612fbf578435602086013560408701355f1a612fb1898285856132c2565b955095509550505050612fc9565b505f915060029050825b93509350939050565b600680545f91908290612fed906001600160801b0316613ff0565b82546001600160801b038083166101009490940a848102910219909116179092555f81815260076020526040902084905590915061080390849061338a565b5f6130385f835f611ce9565b90506001600160a01b0381166108ca57604051637e27328960e01b815260048101839052602401610a20565b60405163a9059cbb60e01b5f8181526001600160a01b038616600452602485905291602083604481808b5af1925060015f511483166130ba5783831516156130ae573d5f823e3d81fd5b5f873b113d1516831692505b60405250949350505050565b80806130da57506001600160a01b03821615155b1561319b575f6130e9846119d7565b90506001600160a01b038316158015906131155750826001600160a01b0316816001600160a01b031614155b8015613128575061312681846116aa565b155b156131515760405163a9fbf51f60e01b81526001600160a01b0384166004820152602401610a20565b81156131995783856001600160a01b0316826001600160a01b03167f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92560405160405180910390a45b505b50505f90815260046020526040902080546001600160a01b0319166001600160a01b0392909216919091179055565b6131d58383836133eb565b610ce6576001600160a01b03831661320357604051637e27328960e01b815260048101829052602401610a20565b60405163177e802f60e01b81526001600160a01b038316600482015260248101829052604401610a20565b5f60ff8216601f81111561080357604051632cd44ac360e21b815260040160405180910390fd5b6040516323b872dd60e01b5f8181526001600160a01b038781166004528616602452604485905291602083606481808c5af1925060015f511483166132b15783831516156132a5573d5f823e3d81fd5b5f883b113d1516831692505b604052505f60605295945050505050565b5f80807f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411156132fb57505f91506003905082613380565b604080515f808252602082018084528a905260ff891692820192909252606081018790526080810186905260019060a0016020604051602081039080840390855afa15801561334c573d5f5f3e3d5ffd5b5050604051601f1901519150506001600160a01b03811661337757505f925060019150829050613380565b92505f91508190505b9450945094915050565b6001600160a01b0382166133b357604051633250574960e11b81525f6004820152602401610a20565b5f6133bf83835f611ce9565b90506001600160a01b03811615610ce6576040516339e3563760e11b81525f6004820152602401610a20565b5f6001600160a01b03831615801590611d405750826001600160a01b0316846001600160a01b03161480613424575061342484846116aa565b80611d405750505f908152600460205260409020546001600160a01b03908116911614919050565b5f6020828403121561345c575f5ffd5b5035919050565b6001600160e01b0319811681146107f6575f5ffd5b5f60208284031215613488575f5ffd5b8135611d4381613463565b5f81518084528060208401602086015e5f602082860101526020601f19601f83011685010191505092915050565b602081525f611d436020830184613493565b80356001600160a01b0381168114611e6a575f5ffd5b5f5f604083850312156134fa575f5ffd5b613503836134d3565b946020939093013593505050565b5f5f5f5f60808587031215613524575f5ffd5b61352d856134d3565b966020860135965060408601359560600135945092505050565b5f60e08284031215613557575f5ffd5b50919050565b5f5f610100838503121561356f575f5ffd5b823591506135808460208501613547565b90509250929050565b5f5f5f6060848603121561359b575f5ffd5b6135a4846134d3565b92506135b2602085016134d3565b929592945050506040919091013590565b5f5f604083850312156135d4575f5ffd5b82359150613580602084016134d3565b5f60e082840312156135f4575f5ffd5b611d438383613547565b5f6020828403121561360e575f5ffd5b611d43826134d3565b63ffffffff815116825263ffffffff60208201511660208301526001600160801b0360408201511660408301526001600160801b0360608201511660608301526001600160801b03608082015116608083015260a081015161368260a084018264ffffffffff169052565b5060c0810151610ce660c084018264ffffffffff169052565b634e487b7160e01b5f52602160045260245ffd5b600481106136cb57634e487b7160e01b5f52602160045260245ffd5b9052565b5f6101a0820190506136e2828451613617565b60208301516136f460e08401826136af565b5063ffffffff6040840151166101008301526001600160801b036060840151166101208301526001600160801b0360808401511661014083015260a08301516137496101608401826001600160801b03169052565b5060c083015161018083015292915050565b60ff60f81b8816815260e060208201525f61377960e0830189613493565b828103604084015261378b8189613493565b606084018890526001600160a01b038716608085015260a0840186905283810360c0850152845180825260208087019350909101905f5b818110156137e05783518352602093840193909201916001016137c2565b50909b9a5050505050505050505050565b5f5f60408385031215613802575f5ffd5b61380b836134d3565b91506020830135801515811461381f575f5ffd5b809150509250929050565b5f5f6040838503121561383b575f5ffd5b50508035926020909101359150565b634e487b7160e01b5f52604160045260245ffd5b5f5f5f5f60808587031215613871575f5ffd5b61387a856134d3565b9350613888602086016134d3565b925060408501359150606085013567ffffffffffffffff8111156138aa575f5ffd5b8501601f810187136138ba575f5ffd5b803567ffffffffffffffff8111156138d4576138d461384a565b604051601f8201601f19908116603f0116810167ffffffffffffffff811182821017156139035761390361384a565b60405281815282820160200189101561391a575f5ffd5b816020840160208301375f6020838301015280935050505092959194509250565b5f5f5f5f5f6080868803121561394f575f5ffd5b853594506020860135935060408601359250606086013567ffffffffffffffff81111561397a575f5ffd5b8601601f8101881361398a575f5ffd5b803567ffffffffffffffff8111156139a0575f5ffd5b8860208284010111156139b1575f5ffd5b959894975092955050506020019190565b5f5f604083850312156139d3575f5ffd5b6139dc836134d3565b9150613580602084016134d3565b600181811c908216806139fe57607f821691505b60208210810361355757634e487b7160e01b5f52602260045260245ffd5b63ffffffff811681146107f6575f5ffd5b6001600160801b03811681146107f6575f5ffd5b5f813561080381613a2d565b64ffffffffff811681146107f6575f5ffd5b5f813561080381613a4d565b8135613a7681613a1c565b81546020840135613a8681613a1c565b67ffffffff000000008160201b1663ffffffff841667ffffffffffffffff198416171784555050505f6040830135613abd81613a2d565b825477ffffffffffffffffffffffffffffffff0000000000000000191660409190911b77ffffffffffffffffffffffffffffffff0000000000000000161782555060018101613b2e613b1160608501613a41565b82546001600160801b0319166001600160801b0391909116178255565b613b5d613b3d60808501613a41565b82546001600160801b031660809190911b6001600160801b031916178255565b5060028101613b8a613b7160a08501613a5f565b825464ffffffffff191664ffffffffff91909116178255565b610ce6613b9960c08501613a5f565b825469ffffffffff0000000000191660289190911b69ffffffffff000000000016178255565b8035611e6a81613a2d565b8035611e6a81613a4d565b8035613be081613a1c565b63ffffffff1682526020810135613bf681613a1c565b63ffffffff1660208301526040810135613c0f81613a2d565b6001600160801b03166040830152613c2960608201613bbf565b6001600160801b03166060830152613c4360808201613bbf565b6001600160801b03166080830152613c5d60a08201613bca565b64ffffffffff1660a0830152613c7560c08201613bca565b64ffffffffff811660c0840152505050565b6101c08101613c968285613617565b611d4360e0830184613bd5565b83815260608101613cb760208301856136af565b61094560408301846136af565b634e487b7160e01b5f52601160045260245ffd5b8181038181111561080357610803613cc4565b8082018082111561080357610803613cc4565b5f60018201613d0f57613d0f613cc4565b5060010190565b60e081016108038284613bd5565b5f81518060208401855e5f93019283525090919050565b7f7b226e616d65223a22426f75727365204561726e20726563656970742023000081525f613d6c601e830186613d24565b7f222c226465736372697074696f6e223a224120706f736974696f6e20696e206181527f2066697865642d7465726d2070726f647563742e2049742063616e6e6f74206260208201527f65207472616e736665727265642e222c2261747472696275746573223a5b000060408201527f7b2274726169745f74797065223a2270726f64756374222c2276616c7565223a605e820152601160f91b607e820152613e18607f820186613d24565b7f227d2c7b2274726169745f74797065223a227072696e636970616c222c227661815265363ab2911d1160d11b60208201529050613e596026820185613d24565b63227d5d7d60e01b81526004019695505050505050565b7f646174613a6170706c69636174696f6e2f6a736f6e3b6261736536342c00000081525f611d43601d830184613d24565b6001600160801b03828116828216039081111561080357610803613cc4565b5f60208284031215613ed0575f5ffd5b8135611d4381613a1c565b5f60208284031215613eeb575f5ffd5b8135611d4381613a2d565b5f60208284031215613f06575f5ffd5b8135611d4381613a4d565b5f60208284031215613f21575f5ffd5b5051919050565b6001600160a01b03858116825284166020820152604081018390526080606082018190525f90613f5a90830184613493565b9695505050505050565b5f60208284031215613f74575f5ffd5b8151611d4381613463565b808202811582820484141761080357610803613cc4565b5f82613fb057634e487b7160e01b5f52601260045260245ffd5b500490565b6001600160801b03818116838216019081111561080357610803613cc4565b63ffffffff818116838216019081111561080357610803613cc4565b5f6001600160801b0382166001600160801b03810361401157614011613cc4565b6001019291505056fe97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b929a164736f6c6343000825000a" as const;
